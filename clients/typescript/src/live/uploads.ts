import * as Y from "yjs";

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

/**
 * Sends changes one after the other: what is changed until the service has acknowledged an update
 * goes with the next one. So fast typing costs few messages, and no update overtakes another.
 */
export class Uploads {
  /** None: both sides have not compared what they have, which will carry every change. */
  #waiting: Uint8Array[] | undefined;
  #unsent = 0;
  #underWay = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly ends: UploadEnds) {}

  get unsynced(): number {
    return this.#unsent + this.#underWay;
  }

  add(update: Uint8Array): void {
    this.#unsent++;
    this.#waiting?.push(update);
    this.ends.count(this.unsynced);
    this.#next();
  }

  /** Both sides have compared: `missing` is what the service lacks. */
  compared(missing: Uint8Array | undefined): void {
    clearTimeout(this.#timer);
    this.#underWay = 0;
    this.#unsent = missing ? Math.max(this.#unsent, 1) : 0;
    this.#waiting = missing ? [missing] : [];
    this.ends.count(this.unsynced);
    this.#next();
  }

  /** The service has stored what was sent last, or refuses it. */
  answered(): void {
    if (this.#underWay === 0) return;
    clearTimeout(this.#timer);
    this.#underWay = 0;
    this.ends.count(this.unsynced);
    this.#next();
  }

  /** The connection is gone: what was sent may not have arrived. */
  lost(): void {
    clearTimeout(this.#timer);
    this.#unsent += this.#underWay;
    this.#underWay = 0;
    this.#waiting = undefined;
  }

  #next(): void {
    if (this.#underWay > 0 || !this.#waiting || this.#waiting.length === 0) return;
    const updates = this.#waiting;
    this.#waiting = [];
    this.#underWay = this.#unsent;
    this.#unsent = 0;
    this.#timer = setTimeout(() => this.ends.overdue(), DEADLINE_MS);
    this.ends.send(updates.length === 1 && updates[0] ? updates[0] : Y.mergeUpdates(updates));
  }
}
