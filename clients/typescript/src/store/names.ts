import { Signal } from "./signal.js";

/** When to ask again after a failure, twice as late each time. */
const AGAIN_MS = 10_000;
/** How many times to ask again, until somebody wants them anew. */
const MOST_AGAIN = 4;

/** Things by id, asked for together and once. */
export class Names<T extends { id: string }> {
  /** Which are known. */
  readonly state = new Signal<ReadonlyMap<string, T>>(new Map());
  readonly #asked = new Set<string>();
  #wanted: string[] = [];
  /** Who waits for them, besides those who watch `state`. */
  #asking: Promise<unknown> = Promise.resolve();

  readonly #resolve: (ids: string[]) => readonly T[] | Promise<readonly T[]>;

  constructor(resolve: (ids: string[]) => readonly T[] | Promise<readonly T[]>) {
    this.#resolve = resolve;
  }

  /** Asks for those that are not known; ends when they were asked for. */
  want(ids: readonly string[]): Promise<unknown> {
    for (const id of ids) {
      if (this.#asked.has(id)) continue;
      this.#asked.add(id);
      if (this.#wanted.push(id) > 1) continue;
      const asked = Promise.resolve().then(() => this.#ask(this.#wanted.splice(0)));
      this.#asking = Promise.all([this.#asking, asked]);
    }
    return this.#asking;
  }

  async #ask(ids: string[], failures = 0): Promise<void> {
    try {
      const found = await this.#resolve(ids);
      if (found.length > 0) this.state.set(new Map([...this.state.get(), ...found.map((it) => [it.id, it] as const)]));
    } catch (error) {
      console.warn("roundtable: names cannot be read", error);
      if (failures < MOST_AGAIN) setTimeout(() => void this.#ask(ids, failures + 1), AGAIN_MS * 2 ** failures);
      else for (const id of ids) this.#asked.delete(id);
    }
  }
}
