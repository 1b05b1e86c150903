import type { NotificationChannels } from "../generated/types.js";
import type { InboxNotification, InboxState } from "../store/inbox.js";
import type { UnreadState } from "../store/unread.js";
import { useRoundtable } from "./context.js";
import { useCallback, useMemo } from "./react.js";
import { useUsed, useWhole } from "./select.js";

/** Which notifications a list has. */
export interface InboxFilter {
  /** Only those about a document. */
  documentId?: string | undefined;
  /** Only unread ones. */
  unread?: boolean | undefined;
}

/** The user's notifications. */
export interface InboxList extends InboxState {
  /** The newest first. */
  notifications: readonly InboxNotification[];
  /** How many of those that are read from the service are unread; there may be older ones. */
  unreadCount: number;
  fetchMore: () => Promise<void>;
  /** Marks notifications as read by the user. */
  markRead: (notificationIds: readonly string[]) => Promise<void>;
  /** Marks all notifications of the user as read, of each document, also those that are not read from the service. */
  markAllRead: () => Promise<void>;
  /** Deletes notifications for the user alone. */
  remove: (notificationIds: readonly string[]) => Promise<void>;
  /** Tells the service that the user sees the inbox. */
  markSeen: () => Promise<void>;
}

/** The user's notifications in the organization. */
export function useInbox({ documentId, unread }: InboxFilter = {}): InboxList {
  const store = useRoundtable();
  const inbox = useMemo(() => store.inbox(documentId), [store, documentId]);
  useUsed(inbox);
  const state = useWhole(inbox.state);
  return useMemo(() => {
    const { fetchMore, markRead, markAllRead, remove, markSeen } = inbox;
    const left = state.notifications.filter(({ isRead }) => !isRead);
    const notifications = unread ? left : state.notifications;
    return { ...state, notifications, unreadCount: left.length, fetchMore, markRead, markAllRead, remove, markSeen };
  }, [state, unread, inbox]);
}

/** How many notifications of the user are unread and unseen, the same on each page of the user. */
export function useUnreadCount(): UnreadState {
  const { unread } = useRoundtable();
  useUsed(unread);
  return useWhole(unread.state);
}

/** What the user wants to be told of. */
export interface NotificationSettings {
  settings: NotificationChannels | undefined;
  isLoading: boolean;
  error: Error | undefined;
  /** Changes some channels. */
  change: (settings: NotificationChannels) => Promise<void>;
}

/** What the user wants to be told of, in the organization or in a document. */
export function useNotificationSettings({ documentId }: { documentId?: string } = {}): NotificationSettings {
  const store = useRoundtable();
  const resource = useMemo(() => store.settings(documentId), [store, documentId]);
  useUsed(resource);
  const { value: settings, isLoading, error } = useWhole(resource);
  const change = useCallback(
    (changed: NotificationChannels) => store.changeSettings(changed, documentId),
    [store, documentId],
  );
  return useMemo(() => ({ settings, isLoading, error, change }), [settings, isLoading, error, change]);
}
