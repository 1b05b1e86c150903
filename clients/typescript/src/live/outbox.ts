/** Characters and messages of a frame: API Gateway takes 32 KB, the service 200 messages. */
const MOST_CHARACTERS = 30_000;
const MOST_MESSAGES = 100;
/** Longest that anything is held. */
const MOST_MS = 1_000;
/** A change that is not acknowledged for so long is said again: it may be stored, and nobody told. */
const AGAIN_MS = 10_000;
/** How long an answer to what was said again may take, beside that to what was said first. */
const LATE_MS = 2 * AGAIN_MS;
/** Most messages that are said again; the next sync says older ones. */
const MOST_AGAIN = 1_000;

interface Waiting {
  text: string;
  /** A later message of the same subject replaces it. */
  subject: string | undefined;
  isAcknowledged: boolean;
  isAgain: boolean;
}

/** A message whose answer is to come. */
interface Expected {
  text: string;
  /** When it was said again; the first time has an entry of its own. */
  againAt: number | undefined;
}

/** What an outbox needs of its connection. */
export interface OutboxEnds {
  send(frame: string): void;
  /** How long it gathers messages, in milliseconds. */
  gathersMs(): number;
}

/**
 * Puts messages into frames. Each frame costs a call of the service and a message to everybody in
 * the room: after the first frame, messages are gathered for a while, and until the service has
 * acknowledged what was sent. A change does not wait because a cursor was sent.
 */
export class Outbox {
  #waiting: Waiting[] = [];
  /** In the order of the answers. */
  #expected: Expected[] = [];
  #last = -MOST_MS;
  /** The time of the last frame with a change. */
  #lastChange = -MOST_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  /** Those who wait until everything is acknowledged. */
  #awaiting: (() => void)[] = [];

  readonly #ends: OutboxEnds;

  constructor(ends: OutboxEnds) {
    this.#ends = ends;
  }

  /** Whether all was sent, and acknowledged as far as it is. */
  get isSettled(): boolean {
    return this.#waiting.every(({ isAgain }) => isAgain) && !this.#expected.some(isFirst);
  }

  /** Sends a message in one of the next frames. */
  add(text: string, said: { subject?: string; isAcknowledged?: boolean; isAgain?: boolean } = {}): void {
    const { subject, isAcknowledged = false, isAgain = false } = said;
    if (subject !== undefined) this.#waiting = this.#waiting.filter((it) => it.subject !== subject);
    const length = this.#waiting.reduce((sum, it) => sum + it.text.length + 1, text.length);
    if (length > MOST_CHARACTERS || this.#waiting.length === MOST_MESSAGES) this.flush();
    this.#waiting.push({ text, subject, isAcknowledged, isAgain });
    this.#schedule();
  }

  /** Sends a message at once, behind what waits. */
  addNow(text: string, isAcknowledged = false): void {
    this.add(text, { isAcknowledged });
    this.flush();
  }

  /**
   * The service has acknowledged a message.
   *
   * @returns whether it counts. What was said again may be acknowledged twice, and the second time
   * would count for the next change.
   */
  answered(): boolean {
    this.#forgetLate();
    const answered = this.#expected.shift();
    if (!this.#expected.some(isFirst)) {
      clearTimeout(this.#again);
      this.#wake();
    }
    if (this.#waiting.length > 0) this.#schedule();
    return answered === undefined || isFirst(answered);
  }

  /** Sends what waits. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#last = Date.now();
    if (waiting.some(isChange)) this.#lastChange = this.#last;
    const expected = waiting.filter((it) => it.isAcknowledged);
    if (expected.length > 0) {
      const entries = expected.map(({ text, isAgain }) => ({ text, againAt: isAgain ? this.#last : undefined }));
      this.#expected = [...this.#expected, ...entries].slice(-MOST_AGAIN);
      clearTimeout(this.#again);
      this.#again = setTimeout(() => this.#repeat(), AGAIN_MS);
    }
    this.#ends.send(waiting.map(({ text }) => text).join(" "));
  }

  /** Sends what waits; until everything is acknowledged as far as it is, or the connection ends. */
  async allAnswered(): Promise<void> {
    this.flush();
    if (this.#expected.some(isFirst)) await new Promise<void>((resolve) => this.#awaiting.push(resolve));
  }

  end(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#again);
    this.#waiting = [];
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#awaiting.splice(0)) wake();
  }

  #repeat(): void {
    this.#forgetLate();
    for (const { text } of this.#expected.filter(isFirst)) this.add(text, { isAcknowledged: true, isAgain: true });
  }

  #forgetLate(): void {
    const since = Date.now() - LATE_MS;
    this.#expected = this.#expected.filter(({ againAt }) => againAt === undefined || againAt > since);
  }

  #schedule(): void {
    const gathers = Math.min(this.#ends.gathersMs(), MOST_MS);
    const held = this.#expected.some(isFirst) ? MOST_MS : gathers;
    if (held === 0) return this.flush();
    clearTimeout(this.#timer);
    // At the earliest when everything was said that belongs to this change.
    const last = this.#waiting.some(isChange) ? this.#lastChange : this.#last;
    this.#timer = setTimeout(() => this.flush(), Math.max(0, last + held - Date.now()));
  }
}

/** Whether no later message replaces it, unlike a cursor. */
function isChange({ subject }: Waiting): boolean {
  return subject === undefined;
}

function isFirst({ againAt }: Expected): boolean {
  return againAt === undefined;
}
