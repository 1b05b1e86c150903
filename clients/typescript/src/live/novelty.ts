import * as Y from "yjs";

import { Writer } from "./varint.js";

/** What is deleted, by client: ranges of clocks. */
export type Deletions = Map<number, { clock: number; len: number }[]>;

/** What an update says is deleted. */
export function deletionsIn(update: Uint8Array): Deletions {
  return Y.decodeUpdate(update).ds.clients;
}

/**
 * What the service lacks of a document, nothing when it has everything. An update always carries
 * all that was ever deleted, so it is looked at before it is sent.
 */
export function novelty(doc: Y.Doc, stateVector: Uint8Array, deletions: Deletions): Uint8Array | undefined {
  const update = Y.encodeStateAsUpdate(doc, stateVector);
  const { structs, ds } = Y.decodeUpdate(update);
  const isNew = structs.length > 0 || [...ds.clients].some(([client, ranges]) => {
    const known = merged(deletions.get(client) ?? []);
    return ranges.some(({ clock, len }) => !known.some((it) => it.clock <= clock && clock + len <= it.clock + it.len));
  });
  return isNew ? update : undefined;
}

/** Bytes of a part; a value that is larger is one of its own. */
const PART_BYTES = 300_000;
/** Clients in a part: the service takes 32 in one update that it does not know. */
const PART_CLIENTS = 20;

type Struct = ReturnType<typeof Y.decodeUpdate>["structs"][number];

/** A part of an update. */
export interface Part {
  /** Where it begins, the same when more follows. */
  start: string;
  update: Uint8Array;
}

/**
 * An update in parts, deletions last: one that the service refuses is sent in parts, so that it stores
 * the others. What refers to a refused one waits in the service.
 */
export function partsOf(update: Uint8Array): Part[] {
  const { structs, ds } = Y.decodeUpdate(update);
  const parts: Structs[] = [];
  for (const struct of structs) {
    const bytes = encoded(struct);
    let last = parts.at(-1);
    if (!last?.hasRoomFor(struct, bytes)) parts.push((last = new Structs(struct)));
    last.add(struct, bytes);
  }
  const whole = parts.map((part) => part.done());
  return ds.clients.size > 0 ? [...whole, { start: "deletions", update: deleting(ds.clients) }] : whole;
}

/** Structs of some clients, as an update has them. */
class Structs {
  readonly #start: string;
  readonly #clients = new Map<number, { clock: number; structs: Uint8Array[] }>();
  #size = 0;

  constructor({ id }: Struct) {
    this.#start = `${id.client} ${id.clock}`;
  }

  hasRoomFor({ id }: Struct, bytes: Uint8Array): boolean {
    const clients = this.#clients.size + (this.#clients.has(id.client) ? 0 : 1);
    return this.#size + bytes.length <= PART_BYTES && clients <= PART_CLIENTS;
  }

  add({ id }: Struct, bytes: Uint8Array): void {
    const known = this.#clients.get(id.client) ?? { clock: id.clock, structs: [] };
    known.structs.push(bytes);
    this.#clients.set(id.client, known);
    this.#size += bytes.length;
  }

  done(): Part {
    const writer = new Writer().uint(this.#clients.size);
    for (const [client, { clock, structs }] of this.#clients) {
      writer.uint(structs.length).uint(client).uint(clock);
      for (const bytes of structs) writer.raw(bytes);
    }
    return { start: this.#start, update: writer.uint(0).done() };
  }
}

function encoded(struct: Struct): Uint8Array {
  const encoder = new Y.UpdateEncoderV1();
  struct.write(encoder, 0);
  // Structs alone, without the deletions behind them.
  return encoder.toUint8Array();
}

function deleting(deletions: Deletions): Uint8Array {
  const writer = new Writer().uint(0).uint(deletions.size);
  for (const [client, ranges] of deletions) {
    writer.uint(client).uint(ranges.length);
    for (const { clock, len } of ranges) writer.uint(clock).uint(len);
  }
  return writer.done();
}

function merged(ranges: { clock: number; len: number }[]): { clock: number; len: number }[] {
  const whole: { clock: number; len: number }[] = [];
  for (const { clock, len } of [...ranges].sort((a, b) => a.clock - b.clock)) {
    const last = whole.at(-1);
    if (last && clock <= last.clock + last.len) last.len = Math.max(last.len, clock + len - last.clock);
    else whole.push({ clock, len });
  }
  return whole;
}
