import type { Readable } from "./signal.js";
import { LOADED, LOADING, type Loading, Used } from "./used.js";

/** Something that is read over REST while it is used. */
export interface ResourceState<T> extends Loading {
  value: T | undefined;
  /** Why it cannot be read. */
  error: Error | undefined;
}

/** Reads something with its first user, and keeps it. */
export class Resource<T> extends Used<ResourceState<T>> implements Readable<ResourceState<T>> {
  readonly initial = this.state.initial;
  readonly get = this.state.get;
  readonly subscribe = this.state.subscribe;
  /** Grows with each value: a read that began before is older. */
  #version = 0;

  readonly #ask: () => Promise<T>;

  constructor(ask: () => Promise<T>) {
    super({ value: undefined, ...LOADING });
    this.#ask = ask;
  }

  /** Shows a value that is known. */
  set(value: T): void {
    this.#version++;
    this.state.set({ value, ...LOADED });
  }

  protected async read(): Promise<void> {
    const version = this.#version;
    const value = await this.#ask();
    if (version === this.#version) this.set(value);
  }
}
