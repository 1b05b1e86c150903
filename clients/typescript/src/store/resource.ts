import { isFinal } from "./refused.js";
import { type Readable, Signal } from "./signal.js";
import { Usage } from "./usage.js";

const RETRY_MS = 5_000;

/** Something that is read over REST while it is used. */
export interface ResourceState<T> {
  value: T | undefined;
  isLoading: boolean;
  /** Why it cannot be read. */
  error: Error | undefined;
}

/** Reads something with its first user, and keeps it. */
export class Resource<T> implements Readable<ResourceState<T>> {
  readonly #state = new Signal<ResourceState<T>>({ value: undefined, isLoading: true, error: undefined });
  readonly #usage: Usage;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly read: () => Promise<T>) {
    this.#usage = new Usage({ begin: () => void this.refresh(), end: () => clearTimeout(this.#retry) });
  }

  readonly initial: ResourceState<T> = this.#state.initial;
  readonly get = this.#state.get;
  readonly subscribe = this.#state.subscribe;

  /** Uses it; returns a function that ends this use. */
  enter(): () => void {
    return this.#usage.enter();
  }

  async refresh(): Promise<void> {
    clearTimeout(this.#retry);
    try {
      this.set(await this.read());
    } catch (error) {
      if (isFinal(error)) this.#state.set({ ...this.get(), isLoading: false, error });
      else if (this.#usage.isOn) this.#retry = setTimeout(() => void this.refresh(), RETRY_MS);
    }
  }

  /** Shows a value that is known. */
  set(value: T): void {
    this.#state.set({ value, isLoading: false, error: undefined });
  }
}
