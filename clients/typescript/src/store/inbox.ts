import type { Notification } from "../generated/types.js";
import { LOADING, type Loading, Used } from "./used.js";

/** How many notifications a page has. */
const PAGE = 30;

/** A notification of the user. */
export type InboxNotification = Notification & { isRead: boolean };

/** The user's notifications, as far as they are known. */
export interface InboxState extends Loading {
  /** The newest first. */
  notifications: readonly InboxNotification[];
  /** Why they cannot be read. */
  error: Error | undefined;
  /** Whether there are older ones, which `fetchMore` reads. */
  hasMore: boolean;
}

/** What an inbox needs of its store. */
export interface InboxEnds {
  userId: string;
  page(request: { pageSize: number; pageToken?: string }): Promise<{ data: Notification[]; pageToken: string | null }>;
  named(notificationIds: string[]): Promise<Notification[]>;
  /** Follows new notifications; returns a function that ends it. */
  follow(): () => void;
  markRead(notificationIds: string[]): Promise<void>;
  /** Marks all notifications as read, these among them. */
  markAllRead(notificationIds: string[]): Promise<void>;
  /** Deletes notifications for the user. */
  remove(notificationIds: string[]): Promise<void>;
  /** The user sees what is there. */
  markSeen(): Promise<void>;
}

/** Notifications of an organization or a document, read while they are used. */
export class Inbox extends Used<InboxState> {
  readonly #stored = new Map<string, Notification>();
  /** What the user has read; it stays read, whatever an older list says. */
  readonly #read = new Set<string>();
  /** What the user has deleted. */
  readonly #removed = new Set<string>();
  #next: string | null = null;
  /** What lists have had; undefined before the first one. */
  #listed: Set<string> | undefined;

  readonly #ends: InboxEnds;

  constructor(ends: InboxEnds) {
    super({ notifications: [], ...LOADING, hasMore: false }, () => ends.follow());
    this.#ends = ends;
  }

  /** Reads a page of older notifications. */
  readonly fetchMore = (): Promise<void> =>
    this.try(async () => {
      const pageToken = this.#next;
      if (pageToken === null) return;
      const page = await this.#ends.page({ pageSize: PAGE, pageToken });
      // Unless a new list begins elsewhere.
      if (pageToken === this.#next) this.#next = page.pageToken;
      this.#list(page.data);
    });

  /** A notification came. */
  arrived(id: string): Promise<void> {
    return this.try(async () => this.#show(await this.#ends.named([id])));
  }

  /** Marks notifications as read by the user. */
  readonly markRead = (ids: readonly string[]): Promise<void> => {
    // One that is not known here may be from the list of a document.
    const read = this.state.get().notifications.filter(({ isRead }) => isRead).map(({ id }) => id);
    return unlessEmpty(ids.filter((id) => !read.includes(id)), this.#ends.markRead);
  };

  /** Marks all notifications of the user as read, also those that are not read from the service. */
  readonly markAllRead = (): Promise<void> => this.#ends.markAllRead(this.unread());

  /** Deletes notifications for the user alone. */
  readonly remove = (ids: readonly string[]): Promise<void> =>
    unlessEmpty(ids.filter((id) => !this.#removed.has(id)), this.#ends.remove);

  /** Tells the service that the user sees the inbox: nothing in it is unseen. */
  readonly markSeen = (): Promise<void> => this.#ends.markSeen();

  /** The unread ones of those that are known. */
  unread(): string[] {
    return this.state.get().notifications.filter(({ isRead }) => !isRead).map(({ id }) => id);
  }

  /** Hides notifications, or no longer. */
  setRemoved(ids: readonly string[], isRemoved: boolean): void {
    this.#mark(this.#removed, ids, isRemoved);
  }

  /** Shows notifications as read, or no longer. */
  setRead(ids: readonly string[], isRead: boolean): void {
    this.#mark(this.#read, ids, isRead);
  }

  /** Reads the newest page. */
  protected async read(): Promise<void> {
    const { data, pageToken } = await this.#ends.page({ pageSize: PAGE });
    // Between this page and what was listed before, there may be others.
    if (!this.#listed || !data.some(({ id }) => this.#listed?.has(id))) this.#next = pageToken;
    this.#list(data);
    const oldest = pageToken === null ? -Infinity : (data.at(-1)?.timestamp ?? Infinity);
    const listed = data.map(({ id }) => id);
    const missing = [...this.#stored.values()].filter((it) => it.timestamp > oldest && !listed.includes(it.id));
    if (missing.length === 0) return;
    // What the page lacks is new, or was deleted elsewhere.
    const ids = missing.slice(0, PAGE).map(({ id }) => id);
    const found = await this.#ends.named(ids);
    for (const id of ids) this.#stored.delete(id);
    this.#show(found);
  }

  #mark(marked: Set<string>, ids: readonly string[], isMarked: boolean): void {
    for (const id of ids) marked[isMarked ? "add" : "delete"](id);
    this.#show([]);
  }

  #list(found: readonly Notification[]): void {
    this.#listed ??= new Set();
    for (const { id } of found) this.#listed.add(id);
    this.#show(found);
  }

  #show(found: readonly Notification[]): void {
    for (const notification of found) this.#stored.set(notification.id, notification);
    const { userId } = this.#ends;
    const known = new Map(this.state.get().notifications.map((it) => [it.id, it]));
    const notifications = [...this.#stored.values()]
      .filter(({ id }) => !this.#removed.has(id))
      .sort((a, b) => b.timestamp - a.timestamp || (a.id < b.id ? 1 : -1))
      .map((notification): InboxNotification => {
        const isRead = this.#read.has(notification.id) || notification.readByUserIds.includes(userId);
        const before = known.get(notification.id);
        if (before?.isRead === isRead && before.timestamp === notification.timestamp) return before;
        return { ...notification, isRead };
      });
    // What is known without a list is not all.
    const error = this.#listed ? undefined : this.state.get().error;
    const isLoading = !this.#listed && !error;
    this.state.set({ notifications, isLoading, error, hasMore: this.#next !== null });
  }
}

/** Changes notifications, if there are any: the promise is that of the change, whose refusal is told elsewhere. */
function unlessEmpty(ids: string[], change: (ids: string[]) => Promise<void>): Promise<void> {
  return ids.length > 0 ? change(ids) : Promise.resolve();
}
