const CUT_OFF = "The message is cut off.";

/** Reads what lib0 writes: numbers of seven bits a byte, and byte strings after their length. */
export class Reader {
  #at = 0;

  constructor(readonly bytes: Uint8Array) {}

  /** What has not been read. */
  get rest(): Uint8Array {
    return this.bytes.subarray(this.#at);
  }

  /** @throws RangeError at the end of the bytes, or above 2^53 - 1. */
  uint(): number {
    let number = 0;
    let factor = 1;
    for (;;) {
      const byte = this.bytes[this.#at++];
      if (byte === undefined) throw new RangeError(CUT_OFF);
      number += (byte & 0x7f) * factor;
      if (!Number.isSafeInteger(number)) throw new RangeError(CUT_OFF);
      if (byte < 0x80) return number;
      factor *= 0x80;
    }
  }

  /** @throws RangeError at the end of the bytes. */
  block(): Uint8Array {
    const length = this.uint();
    const end = this.#at + length;
    if (end > this.bytes.length) throw new RangeError(CUT_OFF);
    const block = this.bytes.subarray(this.#at, end);
    this.#at = end;
    return block;
  }

  /** @throws RangeError at the end of the bytes. */
  text(): string {
    return new TextDecoder().decode(this.block());
  }
}

/** Writes what {@link Reader} reads. */
export class Writer {
  readonly #parts: Uint8Array[] = [];

  uint(number: number): this {
    const bytes: number[] = [];
    while (number >= 0x80) {
      bytes.push((number % 0x80) | 0x80);
      number = Math.floor(number / 0x80);
    }
    bytes.push(number);
    return this.raw(Uint8Array.from(bytes));
  }

  block(bytes: Uint8Array): this {
    return this.uint(bytes.length).raw(bytes);
  }

  text(text: string): this {
    return this.block(new TextEncoder().encode(text));
  }

  raw(bytes: Uint8Array): this {
    this.#parts.push(bytes);
    return this;
  }

  done(): Uint8Array<ArrayBuffer> {
    const length = this.#parts.reduce((sum, part) => sum + part.length, 0);
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const part of this.#parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }
}
