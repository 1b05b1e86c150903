import { isFinal } from "./refused.js";
import { Signal } from "./signal.js";
import { Usage } from "./usage.js";

const RETRY_MS = 5_000;

/** How much of the inbox is new. */
export interface UnreadCount {
  /** Notifications that the user has not read; at most 100. */
  unread: number;
  /** Those of them that came after the user saw the inbox last. */
  unseen: number;
  /** Whether there are older ones that are not counted: 100 are "100+". */
  hasMore: boolean;
}

/** The same, as far as it is known. */
export interface UnreadState extends UnreadCount {
  isLoading: boolean;
  /** Why it cannot be read. */
  error: Error | undefined;
}

const NOTHING: UnreadCount = { unread: 0, unseen: 0, hasMore: false };

/** What a count needs of its store. */
export interface UnreadEnds {
  read(): Promise<UnreadCount>;
  /** Follows what the service tells; returns a function that ends it. */
  follow(): () => void;
}

/** How many notifications are unread: read once, and then as the service tells it with each change. */
export class Unread {
  readonly state = new Signal<UnreadState>({ ...NOTHING, isLoading: true, error: undefined });
  readonly #usage: Usage;
  /** Grows with what is told: a read that began before is older. */
  #told = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly ends: UnreadEnds) {
    let leave = (): void => {};
    this.#usage = new Usage({
      begin: () => {
        leave = ends.follow();
        void this.refresh();
      },
      end: () => {
        clearTimeout(this.#retry);
        leave();
      },
    });
  }

  /** Uses it; returns a function that ends this use. */
  enter(): () => void {
    return this.#usage.enter();
  }

  async refresh(): Promise<void> {
    clearTimeout(this.#retry);
    const told = this.#told;
    try {
      const count = await this.ends.read();
      if (told === this.#told) this.#show(count);
    } catch (error) {
      if (isFinal(error)) this.state.set({ ...this.state.get(), isLoading: false, error });
      else if (this.#usage.isOn) this.#retry = setTimeout(() => void this.refresh(), RETRY_MS);
    }
  }

  /** The service says how many there are now. */
  tell(count: UnreadCount): void {
    this.#told++;
    this.#show(count);
  }

  /** The user has read or deleted some, which the service does not know yet. */
  took(count: number): void {
    const { unread, unseen, hasMore } = this.state.get();
    const left = Math.max(unread - count, 0);
    this.tell({ unread: left, unseen: Math.min(unseen, left), hasMore });
  }

  /** The user has read all. */
  tookAll(): void {
    this.tell(NOTHING);
  }

  /** The user has seen the inbox. */
  saw(): void {
    this.tell({ ...this.state.get(), unseen: 0 });
  }

  #show({ unread, unseen, hasMore }: UnreadCount): void {
    this.state.set({ unread, unseen, hasMore, isLoading: false, error: undefined });
  }
}
