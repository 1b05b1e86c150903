/** A value that changes, and tells when. React reads it with `useSyncExternalStore`. */
export interface Readable<T> {
  /** The value; the same object until it changes. */
  get(): T;
  /** The value before anything is known: what a server renders. */
  readonly initial: T;
  /** Calls a listener after each change; returns a function that ends it. */
  subscribe(listener: () => void): () => void;
}

/** A value that its owner sets. */
export class Signal<T> implements Readable<T> {
  readonly initial: T;
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(initial: T) {
    this.initial = this.#value = initial;
  }

  readonly get = (): T => this.#value;

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of [...this.#listeners]) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    // Two listeners may be the same function.
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  };
}

/** Ends when something is read, or cannot be. */
export function loaded(readable: Readable<{ isLoading: boolean }>): Promise<void> {
  if (!readable.get().isLoading) return Promise.resolve();
  return new Promise((resolve) => {
    const end = readable.subscribe(() => {
      if (readable.get().isLoading) return;
      end();
      resolve();
    });
  });
}
