import { isFinal } from "./refused.js";
import { Signal } from "./signal.js";
import { Usage } from "./usage.js";

const RETRY_MS = 5_000;

/** Whether something is read, or why it cannot be. */
export interface Loading {
  isLoading: boolean;
  error: Error | undefined;
}

/** What a state has before anything is known. */
export const LOADING: Loading = { isLoading: true, error: undefined };
/** What a state has that is known. */
export const LOADED: Loading = { isLoading: false, error: undefined };

/** Something that is read over REST while it is used, again after a while when that fails. */
export abstract class Used<State extends Loading> {
  readonly state: Signal<State>;
  readonly #usage: Usage;
  #retry: ReturnType<typeof setTimeout> | undefined;

  /** @param follow begins to hear of changes; returns a function that ends it. */
  constructor(initial: State, follow?: () => () => void) {
    this.state = new Signal(initial);
    this.#usage = new Usage(() => {
      const leave = follow?.();
      void this.refresh();
      return () => {
        clearTimeout(this.#retry);
        leave?.();
      };
    });
  }

  /** Reads it, and shows what was read. */
  protected abstract read(): Promise<void>;

  /** Uses it; returns a function that ends this use. */
  enter(): () => void {
    return this.#usage.enter();
  }

  /** Reads it anew if somebody uses it. */
  renew(): void {
    if (this.#usage.isOn) void this.refresh();
  }

  /** Reads it now. */
  refresh(): Promise<void> {
    return this.try(() => this.read());
  }

  /** Does something that reads. One failure after another makes one try, and none when nobody uses it. */
  protected async try(does: () => Promise<void>): Promise<void> {
    try {
      await does();
    } catch (error) {
      if (isFinal(error)) return this.state.set({ ...this.state.get(), isLoading: false, error });
      clearTimeout(this.#retry);
      if (this.#usage.isOn) this.#retry = setTimeout(() => void this.refresh(), RETRY_MS);
    }
  }
}
