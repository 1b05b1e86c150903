/** How long something stays after its last user: React's Strict Mode and navigation leave and come back. */
const LINGER_MS = 2_000;

/** Counts who uses something; it begins with the first user and ends a while after the last one. */
export class Usage {
  #count = 0;
  #hasBegun = false;
  #end: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly ends: { begin(): void; end(): void }) {}

  /** Whether it is used, or was a moment ago. */
  get isOn(): boolean {
    return this.#hasBegun;
  }

  /** Uses it; returns a function that ends this use. */
  enter(): () => void {
    clearTimeout(this.#end);
    // Nobody uses what cannot begin.
    if (!this.#hasBegun) this.ends.begin();
    this.#hasBegun = true;
    this.#count++;
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      if (--this.#count === 0) this.#end = setTimeout(() => this.#over(), LINGER_MS);
    };
  }

  #over(): void {
    this.#hasBegun = false;
    this.ends.end();
  }
}
