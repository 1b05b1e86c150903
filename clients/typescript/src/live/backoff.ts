const FIRST_MS = 500;
const MOST_MS = 30_000;
/** How long a connection has to last that counts as a success. */
const LASTING_MS = 10_000;

/**
 * How long to wait after some failures in a row: anything up to a bound that doubles with each, so that
 * clients who were thrown out together do not come back together.
 */
export function backoffMs(failures: number): number {
  return Math.random() * Math.min(MOST_MS, FIRST_MS * 2 ** failures);
}

/** How long to wait before the next connection. */
export class Backoff {
  #failures = 0;

  /** A connection failed, which the service had taken at a time, if it ever did. */
  failed(admittedAt?: number): void {
    if (admittedAt !== undefined && Date.now() - admittedAt >= LASTING_MS) this.#failures = 0;
    this.#failures++;
  }

  /** Milliseconds; 0 when nothing has failed. */
  delay(): number {
    return this.#failures === 0 ? 0 : backoffMs(this.#failures - 1);
  }
}
