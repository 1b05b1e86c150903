import type { Answer } from "./messages.js";
import { type Part, partsOf } from "./novelty.js";

/** How long the service may take to acknowledge an update. */
const DEADLINE_MS = 15_000;
/** How long an acknowledgement that was given up may still come. */
const LATE_MS = 30_000;

/** What uploads need of their provider. */
export interface UploadEnds {
  send(update: Uint8Array): void;
  /** How many changes the service has not acknowledged. */
  count(unsynced: number): void;
  /** Whether a refusal may mean that the user has lost the right to write. */
  isOfRight(answer: Answer): boolean;
  /** The service does not store an update. */
  refused(update: Uint8Array, answer: Answer): void;
  /** An acknowledgement did not come: both sides compare what they have. */
  overdue(): void;
}

/** An update on its way, and how many changes it has. */
interface Sent {
  update: Uint8Array;
  changes: number;
}

/** Sends changes, and counts those that the service has not stored yet. */
export class Uploads {
  /** Whether both sides have compared what they have; that carries every change before. */
  #isCompared = false;
  /** Whether changes wait, because the user may not write. */
  #isHeld = false;
  #unsent: number;
  /**
   * What the service cannot store on this connection, whatever the right: the sizes of parts by where they
   * begin. A smaller one, of which something was undone, is tried again.
   */
  #unstorable = new Map<string, number>();
  /** How many changes are not stored because of that. */
  #refused = 0;
  #underWay: Sent[] = [];
  /** How many answers are still to come to updates that a comparison has sent once more. */
  #outdated = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Ends the wait for answers that were given up. */
  #late: ReturnType<typeof setTimeout> | undefined;

  readonly #ends: UploadEnds;

  /** @param hasContent whether there is content from before, of which nobody knows whether it is stored. */
  constructor(ends: UploadEnds, hasContent: boolean) {
    this.#ends = ends;
    this.#unsent = hasContent ? 1 : 0;
  }

  get unsynced(): number {
    return this.#underWay.reduce((sum, { changes }) => sum + changes, this.#unsent + this.#refused);
  }

  /** Whether changes wait for a right. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Whether the service cannot store a part, and stores what follows. */
  get hasRefused(): boolean {
    return this.#refused > 0;
  }

  /** Whether waiting stores nothing more. */
  get isInVain(): boolean {
    return this.#isHeld || (this.hasRefused && this.#isCompared && this.#underWay.length === 0);
  }

  /**
   * The user may write, or may not. What waited goes with the next comparison: until then later changes
   * wait as well, because an acknowledgement of one would count for all before.
   */
  hold(isHeld: boolean): void {
    if (this.#isHeld && !isHeld) {
      this.#isCompared = false;
      // A right that was lost may have been taken for a fault of the change.
      this.#unstorable.clear();
    }
    this.#isHeld = isHeld;
  }

  add(update: Uint8Array): void {
    this.#unsent++;
    if (this.#isCompared && !this.#isHeld) this.#send(update);
    else this.#ends.count(this.unsynced);
  }

  /** Both sides have compared: `missing` is what the service lacks. */
  compared(missing: Uint8Array | undefined): void {
    this.#outdated += this.#underWay.length;
    const all = missing ? Math.max(this.unsynced, 1) : 0;
    this.#underWay = [];
    this.#isCompared = true;
    this.#watch();
    const isWhole = !missing || this.#unstorable.size === 0;
    const parts = isWhole ? [] : partsOf(missing);
    const storable = parts.filter((part) => this.#isStorable(part)).map(({ update }) => update);
    const news = isWhole && missing ? [missing] : storable;
    this.#refused = storable.length < parts.length ? Math.min(Math.max(this.#refused, 1), all) : 0;
    this.#unsent = all - this.#refused;
    if (news.length > 0 && !this.#isHeld) this.#send(...news);
    else this.#ends.count(this.unsynced);
  }

  /**
   * The service has stored what was sent first, or refuses it. A refused change is not stored; of one
   * that cannot be stored the other parts are.
   */
  answered(answer: Answer): void {
    if (this.#outdated > 0) {
      this.#outdated--;
      return;
    }
    const sent = this.#underWay.shift();
    if (!sent) return;
    this.#watch();
    if (answer.isSaved) return this.#ends.count(this.unsynced);
    // Another part may carry the number of changes.
    const changes = Math.max(sent.changes, 1);
    const isWaiting = this.#isHeld || this.#ends.isOfRight(answer);
    const parts = isWaiting ? [] : partsOf(sent.update);
    if (isWaiting || parts.length > 1) this.#unsent += changes;
    else {
      this.#refused += changes;
      for (const { start, update } of parts) this.#unstorable.set(start, update.length);
    }
    if (parts.length > 1) return this.#send(...parts.map(({ update }) => update));
    this.#ends.count(this.unsynced);
    this.#ends.refused(sent.update, answer);
  }

  /** The connection is gone: what was sent may not have arrived. */
  lost(): void {
    this.#forget();
    this.#unstorable.clear();
    this.#isCompared = false;
  }

  #forget(): void {
    this.#unsent = this.unsynced;
    this.#refused = 0;
    this.#underWay = [];
    this.#outdate(0);
    this.#watch();
  }

  #outdate(answers: number): void {
    clearTimeout(this.#late);
    this.#outdated = answers;
  }

  #isStorable({ start, update }: Part): boolean {
    return update.length < (this.#unstorable.get(start) ?? Infinity);
  }

  /** Sends all that is unsent, in some parts: it is stored when the last is. */
  #send(...parts: Uint8Array[]): void {
    for (const update of parts) this.#underWay.push({ update, changes: 0 });
    const last = this.#underWay.at(-1);
    if (last) last.changes = this.#unsent;
    this.#unsent = 0;
    this.#watch();
    this.#ends.count(this.unsynced);
    for (const update of parts) this.#ends.send(update);
  }

  #watch(): void {
    clearTimeout(this.#timer);
    if (this.#underWay.length > 0) this.#timer = setTimeout(() => this.#overdue(), DEADLINE_MS);
  }

  /** What was sent counts as lost; an answer that comes later is not that to the next change. */
  #overdue(): void {
    const late = this.#outdated + this.#underWay.length;
    this.#forget();
    this.#outdate(late);
    this.#late = setTimeout(() => this.#outdate(0), LATE_MS);
    this.#ends.overdue();
  }
}
