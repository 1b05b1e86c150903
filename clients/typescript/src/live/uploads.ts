/** How long the service may take to acknowledge an update. */
const DEADLINE_MS = 15_000;
/** How long an acknowledgement that was given up may still come. */
const LATE_MS = 30_000;

/** What uploads need of their provider. */
export interface UploadEnds {
  send(update: Uint8Array): void;
  /** How many changes the service has not acknowledged. */
  count(unsynced: number): void;
  /** The service does not store an update. */
  refused(update: Uint8Array): void;
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
  #underWay: Sent[] = [];
  /** How many answers are still to come to updates that a comparison has sent once more. */
  #outdated = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Ends the wait for answers that were given up. */
  #late: ReturnType<typeof setTimeout> | undefined;

  /** @param hasContent whether there is content from before, of which nobody knows whether it is stored. */
  constructor(private readonly ends: UploadEnds, hasContent: boolean) {
    this.#unsent = hasContent ? 1 : 0;
  }

  get unsynced(): number {
    return this.#underWay.reduce((sum, { changes }) => sum + changes, this.#unsent);
  }

  /** Whether changes wait for a right. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /**
   * The user may write, or may not. What waited goes with the next comparison: until then later changes
   * wait as well, because an acknowledgement of one would count for all before.
   */
  hold(isHeld: boolean): void {
    if (this.#isHeld && !isHeld) this.#isCompared = false;
    this.#isHeld = isHeld;
  }

  add(update: Uint8Array): void {
    this.#unsent++;
    if (this.#isCompared && !this.#isHeld) this.#send(update);
    else this.ends.count(this.unsynced);
  }

  /** Both sides have compared: `missing` is what the service lacks. */
  compared(missing: Uint8Array | undefined): void {
    this.#outdated += this.#underWay.length;
    this.#unsent = missing ? Math.max(this.unsynced, 1) : 0;
    this.#underWay = [];
    this.#isCompared = true;
    this.#watch();
    if (missing && !this.#isHeld) this.#send(missing);
    else this.ends.count(this.unsynced);
  }

  /** The service has stored what was sent first, or refuses it. A refused change is not stored. */
  answered(isSaved: boolean): void {
    if (this.#outdated > 0) {
      this.#outdated--;
      return;
    }
    const sent = this.#underWay.shift();
    if (!sent) return;
    if (!isSaved) this.#unsent += sent.changes;
    this.#watch();
    this.ends.count(this.unsynced);
    if (!isSaved) this.ends.refused(sent.update);
  }

  /** The connection is gone: what was sent may not have arrived. */
  lost(): void {
    this.#forget();
    this.#isCompared = false;
  }

  #forget(): void {
    this.#unsent = this.unsynced;
    this.#underWay = [];
    this.#outdate(0);
    this.#watch();
  }

  #outdate(answers: number): void {
    clearTimeout(this.#late);
    this.#outdated = answers;
  }

  #send(update: Uint8Array): void {
    this.#underWay.push({ update, changes: this.#unsent });
    this.#unsent = 0;
    this.#watch();
    this.ends.count(this.unsynced);
    this.ends.send(update);
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
    this.ends.overdue();
  }
}
