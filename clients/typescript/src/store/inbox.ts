import type { Notification } from "../generated/types.js";
import { isFinal } from "./refused.js";
import { Signal } from "./signal.js";
import { Usage } from "./usage.js";

/** How many notifications a page has. */
const PAGE = 30;
const RETRY_MS = 5_000;

/** A notification of the user. */
export type InboxNotification = Notification & { isRead: boolean };

/** The user's notifications, as far as they are known. */
export interface InboxState {
  /** The newest first. */
  notifications: readonly InboxNotification[];
  isLoading: boolean;
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
export class Inbox {
  readonly state = new Signal<InboxState>({ notifications: [], isLoading: true, error: undefined, hasMore: false });
  readonly #usage: Usage;
  readonly #stored = new Map<string, Notification>();
  /** What the user has read; it stays read, whatever an older list says. */
  readonly #read = new Set<string>();
  /** What the user has deleted. */
  readonly #removed = new Set<string>();
  #next: string | null = null;
  /** What lists have had; undefined before the first one. */
  #listed: Set<string> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly ends: InboxEnds) {
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

  /** Reads the newest page. */
  async refresh(): Promise<void> {
    clearTimeout(this.#retry);
    await this.#try(async () => {
      const { data, pageToken } = await this.ends.page({ pageSize: PAGE });
      // Between this page and what was listed before, there may be others.
      if (!this.#listed || !data.some(({ id }) => this.#listed?.has(id))) this.#next = pageToken;
      this.#list(data);
    });
  }

  /** Reads a page of older notifications. */
  async fetchMore(): Promise<void> {
    const pageToken = this.#next;
    if (pageToken === null) return;
    await this.#try(async () => {
      const page = await this.ends.page({ pageSize: PAGE, pageToken });
      this.#next = page.pageToken;
      this.#list(page.data);
    });
  }

  /** A notification came. */
  async arrived(id: string): Promise<void> {
    await this.#try(async () => this.#show(await this.ends.named([id])));
  }

  /** Marks notifications as read by the user. */
  async markRead(ids: readonly string[]): Promise<void> {
    // One that is not known here may be from the list of a document.
    const read = this.state.get().notifications.filter(({ isRead }) => isRead).map(({ id }) => id);
    const unread = ids.filter((id) => !read.includes(id));
    if (unread.length > 0) await this.ends.markRead(unread);
  }

  /** Marks all notifications of the user as read, also those that are not read from the service. */
  async markAllRead(): Promise<void> {
    await this.ends.markAllRead(this.unread());
  }

  /** Deletes notifications for the user alone. */
  async remove(ids: readonly string[]): Promise<void> {
    const left = ids.filter((id) => !this.#removed.has(id));
    if (left.length > 0) await this.ends.remove(left);
  }

  /** Tells the service that the user sees the inbox: nothing in it is unseen. */
  markSeen(): Promise<void> {
    return this.ends.markSeen();
  }

  /** The unread ones of those that are known. */
  unread(): string[] {
    return this.state.get().notifications.filter(({ isRead }) => !isRead).map(({ id }) => id);
  }

  /** Hides notifications, or no longer. */
  setRemoved(ids: readonly string[], isRemoved: boolean): void {
    for (const id of ids)
      if (isRemoved) this.#removed.add(id);
      else this.#removed.delete(id);
    this.#show([]);
  }

  /** Shows notifications as read, or no longer. */
  setRead(ids: readonly string[], isRead: boolean): void {
    for (const id of ids)
      if (isRead) this.#read.add(id);
      else this.#read.delete(id);
    this.#show([]);
  }

  #list(found: readonly Notification[]): void {
    this.#listed ??= new Set();
    for (const { id } of found) this.#listed.add(id);
    this.#show(found);
  }

  #show(found: readonly Notification[]): void {
    for (const notification of found) this.#stored.set(notification.id, notification);
    const { userId } = this.ends;
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

  async #try(does: () => Promise<void>): Promise<void> {
    try {
      await does();
    } catch (error) {
      if (isFinal(error)) this.state.set({ ...this.state.get(), isLoading: false, error });
      else if (this.#usage.isOn) this.#retry = setTimeout(() => void this.refresh(), RETRY_MS);
    }
  }
}
