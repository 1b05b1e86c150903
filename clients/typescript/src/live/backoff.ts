const FIRST_MS = 500;
const MOST_MS = 30_000;

/**
 * How long to wait before the next connection: anything up to a bound that doubles with each
 * failure, so that clients who were thrown out together do not come back together.
 */
export class Backoff {
  #failures = 0;

  failed(): void {
    this.#failures++;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  /** Milliseconds; 0 when nothing has failed. */
  delay(): number {
    if (this.#failures === 0) return 0;
    return Math.random() * Math.min(MOST_MS, FIRST_MS * 2 ** (this.#failures - 1));
  }
}
