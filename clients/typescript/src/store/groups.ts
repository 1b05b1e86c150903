import { Signal } from "./signal.js";
import type { Group } from "./users.js";

/** When to ask again for groups after a failure. */
const AGAIN_MS = 10_000;

/** Groups by id, asked for together and once. */
export class Groups {
  /** Which are known. */
  readonly state = new Signal<ReadonlyMap<string, Group>>(new Map());
  readonly #asked = new Set<string>();
  #wanted: string[] = [];

  constructor(private readonly resolve: (ids: string[]) => Promise<Group[]>) {}

  /** Asks for groups that are not known. */
  want(ids: readonly string[]): void {
    const fresh = [...new Set(ids)].filter((id) => !this.#asked.has(id));
    if (fresh.length === 0) return;
    for (const id of fresh) this.#asked.add(id);
    const isFirst = this.#wanted.length === 0;
    this.#wanted.push(...fresh);
    if (isFirst) queueMicrotask(() => void this.#ask(this.#wanted.splice(0)));
  }

  async #ask(ids: string[]): Promise<void> {
    try {
      const found = await this.resolve(ids);
      if (found.length > 0) this.state.set(new Map([...this.state.get(), ...found.map((it) => [it.id, it] as const)]));
    } catch (error) {
      console.warn("roundtable: groups cannot be read", error);
      setTimeout(() => ids.forEach((id) => this.#asked.delete(id)), AGAIN_MS);
    }
  }
}
