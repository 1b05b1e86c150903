/** How often a client speaks whom others see. */
const PRESENT_MS = 25_000;
/** How often any other does; API Gateway closes after 10 minutes of silence. */
const ALONE_MS = 8 * 60_000;
/** How long an answer may take before the service is asked whether it is there. */
const DOUBT_MS = 10_000;
/** How long that answer may take. */
const SILENCE_MS = 20_000;
/** Stock providers give a socket up on which nothing arrives for 30 seconds. */
const REASSURE_MS = 15_000;
const TICK_MS = 1_000;

/** What the lease needs of its socket. */
export interface Leased {
  /** Whether others see this client. */
  isSeen(): boolean;
  ping(): void;
  /** Shows the provider that the connection lives. */
  reassure(): void;
  /** Nothing comes any more. */
  lost(): void;
}

/** Keeps a connection, finds out when it is dead, and costs next to nothing while it is idle. */
export class Lease {
  #sent = Date.now();
  #heard = Date.now();
  #reassured = Date.now();
  /** When something was sent to which nothing has come since. */
  #unanswered: number | undefined;
  #isAsked = false;
  readonly #timer = setInterval(() => this.#tick(), TICK_MS);

  readonly #leased: Leased;

  constructor(leased: Leased) {
    this.#leased = leased;
  }

  sent(): void {
    this.#sent = Date.now();
    this.#unanswered ??= this.#sent;
  }

  heard(): void {
    this.#heard = Date.now();
    this.#unanswered = undefined;
    this.#isAsked = false;
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const now = Date.now();
    const doubt = this.#unanswered === undefined ? 0 : now - this.#unanswered;
    if (doubt >= SILENCE_MS) return this.#leased.lost();
    const isDue = now - this.#sent >= (this.#leased.isSeen() ? PRESENT_MS : ALONE_MS);
    if (isDue || (doubt >= DOUBT_MS && !this.#isAsked)) {
      this.#isAsked = true;
      this.#leased.ping();
    }
    if (now - Math.max(this.#heard, this.#reassured) >= REASSURE_MS) {
      this.#reassured = now;
      this.#leased.reassure();
    }
  }
}
