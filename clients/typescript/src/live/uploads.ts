/** How long the service may take to acknowledge an update. */
const DEADLINE_MS = 15_000;

/** What uploads need of their provider. */
export interface UploadEnds {
  send(update: Uint8Array): void;
  /** How many changes the service has not acknowledged. */
  count(unsynced: number): void;
  /** An acknowledgement did not come: both sides compare what they have. */
  overdue(): void;
}

/** Sends changes, and counts those that the service has not stored yet. */
export class Uploads {
  /** Whether both sides have compared what they have; that carries every change before. */
  #isCompared = false;
  #unsent = 0;
  /** How many changes each message has that is not acknowledged. */
  #underWay: number[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly ends: UploadEnds) {}

  get unsynced(): number {
    return this.#underWay.reduce((sum, changes) => sum + changes, this.#unsent);
  }

  add(update: Uint8Array): void {
    this.#unsent++;
    if (this.#isCompared) this.#send(update);
    else this.ends.count(this.unsynced);
  }

  /** Both sides have compared: `missing` is what the service lacks. */
  compared(missing: Uint8Array | undefined): void {
    clearTimeout(this.#timer);
    this.#isCompared = true;
    this.#underWay = [];
    this.#unsent = missing ? Math.max(this.#unsent, 1) : 0;
    if (missing) this.#send(missing);
    else this.ends.count(0);
  }

  /** The service has stored what was sent first, or refuses it. */
  answered(): void {
    if (this.#underWay.shift() === undefined) return;
    this.#watch();
    this.ends.count(this.unsynced);
  }

  /** The connection is gone: what was sent may not have arrived. */
  lost(): void {
    clearTimeout(this.#timer);
    this.#unsent = this.unsynced;
    this.#underWay = [];
    this.#isCompared = false;
  }

  #send(update: Uint8Array): void {
    this.#underWay.push(this.#unsent);
    this.#unsent = 0;
    this.#watch();
    this.ends.count(this.unsynced);
    this.ends.send(update);
  }

  #watch(): void {
    clearTimeout(this.#timer);
    if (this.#underWay.length > 0) this.#timer = setTimeout(() => this.ends.overdue(), DEADLINE_MS);
  }
}
