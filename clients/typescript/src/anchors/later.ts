/** Something that is done after what is under way, once however often it is asked for. */
export class Later {
  #isDue = false;
  #isEnded = false;

  readonly #run: () => void;

  constructor(run: () => void) {
    this.#run = run;
  }

  readonly ask = (): void => {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      if (!this.#isEnded) this.#run();
    });
  };

  /** Does nothing more. */
  end(): void {
    this.#isEnded = true;
  }
}
