/** How long something stays after its last user: React's Strict Mode and navigation leave and come back. */
const LINGER_MS = 2_000;

/** Counts who uses something; it begins with the first user and ends a while after the last one. */
export class Usage {
  #count = 0;
  #over: (() => void) | undefined;
  #end: ReturnType<typeof setTimeout> | undefined;

  readonly #begin: () => () => void;

  /** @param begin returns what ends it. */
  constructor(begin: () => () => void) {
    this.#begin = begin;
  }

  /** Whether it is used, or was a moment ago. */
  get isOn(): boolean {
    return this.#over !== undefined;
  }

  /** Uses it; returns a function that ends this use. */
  enter(): () => void {
    clearTimeout(this.#end);
    // Nobody uses what cannot begin.
    this.#over ??= this.#begin();
    this.#count++;
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      if (--this.#count > 0) return;
      this.#end = setTimeout(() => {
        const over = this.#over;
        this.#over = undefined;
        over?.();
      }, LINGER_MS);
    };
  }
}
