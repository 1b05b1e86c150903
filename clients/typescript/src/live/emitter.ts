import { held } from "../held.js";

type Listener = (...values: any[]) => void;

/** Calls whoever listens to an event; `Events` maps names to the arguments of listeners. */
export class Emitter<Events extends Record<string, unknown[]>> {
  readonly #listeners = new Map<keyof Events, Set<Listener>>();

  /**
   * Calls a listener at each event.
   *
   * @returns a function that ends it, as the clean-up of a component does.
   */
  on<Name extends keyof Events>(name: Name, listener: (...values: Events[Name]) => void): () => void {
    held(this.#listeners, name, () => new Set()).add(listener);
    return () => void this.off(name, listener);
  }

  off<Name extends keyof Events>(name: Name, listener: (...values: Events[Name]) => void): this {
    this.#listeners.get(name)?.delete(listener);
    return this;
  }

  /** Calls the listeners of an event. What one throws is an uncaught error of the page, and stops nothing here. */
  emit<Name extends keyof Events>(name: Name, ...values: Events[Name]): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) {
      try {
        listener(...values);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  /** Nobody listens any more. */
  protected silence(): void {
    this.#listeners.clear();
  }
}
