/** How long a document that is left stays followed: views of it come one after the other. */
const LINGER_MS = 1_000;
/** How long the service may take to handle a frame, which later ones overtake. */
export const HANDLED_MS = 10_000;

/** What a farewell needs of its connection. */
export interface FarewellEnds {
  /** Tells the service to tell no more. */
  tell(): void;
  /** The service has handled that. */
  over(): void;
}

/**
 * The end of following a document: the service is told when nobody has followed it again for a while,
 * and `subscribe` is answered, because it handles frames of one connection at the same time.
 */
export class Farewell {
  #isDue = false;
  #isTold = false;
  #timer = setTimeout(() => this.#due(), LINGER_MS);

  /** Whether `subscribe` is answered. */
  #isAnswered: boolean;
  readonly #ends: FarewellEnds;

  constructor(isAnswered: boolean, ends: FarewellEnds) {
    this.#isAnswered = isAnswered;
    this.#ends = ends;
  }

  /** Whether an answer to `subscribe` is still to come. */
  get awaitsAnswer(): boolean {
    return !this.#isAnswered;
  }

  /** Whether the service was told, which does not answer to that. */
  get isTold(): boolean {
    return this.#isTold;
  }

  answered(): void {
    this.#isAnswered = true;
    this.#tell();
  }

  /** Somebody follows again, or there is nothing to end. */
  cancel(): void {
    clearTimeout(this.#timer);
  }

  #due(): void {
    this.#isDue = true;
    this.#tell();
  }

  #tell(): void {
    if (!this.#isDue || !this.#isAnswered || this.#isTold) return;
    this.#isTold = true;
    this.#ends.tell();
    this.#timer = setTimeout(() => this.#ends.over(), HANDLED_MS);
  }
}
