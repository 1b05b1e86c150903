import { backoffMs } from "../live/backoff.js";

/** Waits before other tries, which all end at once when there is reason to try now. */
export class Waits {
  readonly #ends = new Set<() => void>();

  /** Tries at once what waits. */
  readonly wake = (): void => {
    for (const end of [...this.#ends]) end();
  };

  /** Waits after some failures in a row; as long as the service asked for, whatever the network does. */
  wait(failures: number, asked = 0): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#ends.delete(end);
        resolve();
      };
      const timer = setTimeout(end, Math.max(asked, backoffMs(failures)));
      if (asked === 0) this.#ends.add(end);
    });
  }
}
