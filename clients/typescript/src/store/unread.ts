import type { NotificationCount } from "../generated/types.js";
import { LOADED, LOADING, type Loading, Used } from "./used.js";

/** How much of the inbox is new. */
export interface UnreadCount {
  /** Notifications that the user has not read; at most 100. */
  unread: number;
  /** Unread ones that came after the user saw the inbox last. */
  unseen: number;
  /** Whether there are older ones that are not counted: 100 are "100+". */
  hasMore: boolean;
}

/** The same, as far as it is known. */
export interface UnreadState extends UnreadCount, Loading {
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

/**
 * How many notifications are unread: read once, and then as the service tells it with each change. What the
 * user has read here and the service does not know yet is taken off.
 */
export class Unread extends Used<UnreadState> {
  /** What the service said last. */
  #count: UnreadCount | undefined;
  /** Notifications that were read or deleted here, and that the service counts. */
  readonly #taken = new Set<string>();
  /** Grows with what is asked and told: a read that began before is older. */
  #version = 0;

  readonly #ends: UnreadEnds;

  constructor(ends: UnreadEnds) {
    super({ ...NOTHING, ...LOADING }, () => ends.follow());
    this.#ends = ends;
  }

  /** The service says how many there are now, and which ones it does not count any more. */
  tell({ unread, unseen, hasMore }: NotificationCount, notificationIds: readonly string[] = []): void {
    this.#version++;
    for (const id of notificationIds) this.#taken.delete(id);
    this.#show({ unread, unseen, hasMore });
  }

  /** The user has read or deleted these, which the service counts. */
  take(ids: readonly string[]): void {
    for (const id of ids) this.#taken.add(id);
    this.#show(this.#count);
  }

  /** The service has stored what was taken off, and may have said so. */
  stored(ids: readonly string[]): void {
    const count = ids.filter((id) => this.#taken.delete(id)).length;
    this.#show(this.#count && less(this.#count, count));
  }

  /** The service has refused it: a new count may be another one. */
  giveBack(ids: readonly string[]): void {
    for (const id of ids) this.#taken.delete(id);
    this.#show(this.#count);
  }

  /** The user has read all. */
  takeAll(): void {
    this.#guess(NOTHING);
  }

  /** The user has seen the inbox. */
  saw(): void {
    this.#guess({ ...(this.#count ?? NOTHING), unseen: 0 });
  }

  protected async read(): Promise<void> {
    const version = ++this.#version;
    const count = await this.#ends.read();
    if (version === this.#version) this.tell(count);
  }

  /** What will be: where nothing is known, the service says it. */
  #guess(count: UnreadCount): void {
    if (!this.#count) return;
    this.#version++;
    this.#show(count);
  }

  #show(count: UnreadCount | undefined): void {
    this.#count = count;
    if (count) this.state.set({ ...less(count, this.#taken.size), ...LOADED });
  }
}

/** A count without some. */
function less({ unread, unseen, hasMore }: UnreadCount, count: number): UnreadCount {
  const left = Math.max(unread - count, 0);
  return { unread: left, unseen: Math.min(unseen, left), hasMore };
}
