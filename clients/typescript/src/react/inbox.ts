import { useEffect, useMemo } from "react";

import type { NotificationChannels } from "../generated/types.js";
import type { InboxNotification, InboxState } from "../store/inbox.js";
import type { UnreadState } from "../store/unread.js";
import { useRoundtable } from "./context.js";
import { useWhole } from "./select.js";

/** Which notifications a list has. */
export interface InboxFilter {
  /** Only those about a document. */
  documentId?: string;
  /** Only unread ones. */
  unread?: boolean;
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
  useEffect(() => inbox.enter(), [inbox]);
  const state = useWhole(inbox.state);
  const actions = useMemo(
    () => ({
      fetchMore: () => inbox.fetchMore(),
      markRead: (notificationIds: readonly string[]) => inbox.markRead(notificationIds),
      markAllRead: () => inbox.markAllRead(),
      remove: (notificationIds: readonly string[]) => inbox.remove(notificationIds),
      markSeen: () => inbox.markSeen(),
    }),
    [inbox],
  );
  return useMemo(
    () => ({
      ...state,
      ...actions,
      notifications: state.notifications.filter(({ isRead }) => !(unread && isRead)),
      unreadCount: state.notifications.filter(({ isRead }) => !isRead).length,
    }),
    [state, unread, actions],
  );
}

/** How many notifications of the user are unread and unseen, the same on each page of the user. */
export function useUnreadCount(): UnreadState {
  const { unread } = useRoundtable();
  useEffect(() => unread.enter(), [unread]);
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
  useEffect(() => resource.enter(), [resource]);
  const { value: settings, isLoading, error } = useWhole(resource);
  return useMemo(
    () => ({
      settings,
      isLoading,
      error,
      change: (changed) => store.changeSettings(changed, documentId),
    }),
    [settings, isLoading, error, store, documentId],
  );
}
