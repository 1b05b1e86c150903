"use client";
import type { ReactNode } from "react";

import type { Document, NotificationChannels } from "../generated/types.js";
import { type Readable, loaded } from "../store/signal.js";
import type { Thread } from "../store/draft.js";
import type { UnreadState } from "../store/unread.js";
import { useRoom, useRoundtable } from "./context.js";
import { useDocument as useDocumentState } from "./document.js";
import {
  type InboxFilter,
  type InboxList,
  type NotificationSettings,
  useInbox as useInboxState,
  useNotificationSettings as useSettingsState,
  useUnreadCount as useUnreadState,
} from "./inbox.js";
import { Room as PlainRoom, Roundtable as PlainRoundtable, type RoundtableProps } from "./providers.js";
import { Suspense, h, useSyncExternalStore } from "./react.js";
import {
  type ThreadList,
  type ThreadsFilter,
  useThread as useThreadState,
  useThreads as useThreadsState,
} from "./threads.js";

// Named one by one, as in index.ts: Next takes no `export *` from a module of the client.
export { type AwarenessLike, type AwarenessState, useAwareness, useUpdateAwareness } from "./awareness.js";
export { useBroadcast, useEvent, useUpdatePresence } from "./broadcast.js";
export { useRoom, useRoundtable } from "./context.js";
export { useLiveState } from "./document.js";
export type { InboxFilter, InboxList, NotificationSettings } from "./inbox.js";
export {
  type Mentions,
  useGroup,
  useMentions,
  useOthers,
  useSelf,
  useStatusOf,
  useUser,
  useUsers,
} from "./people.js";
export type { RoundtableProps } from "./providers.js";
export { type Sync, useConnection, useSync } from "./sync.js";
export {
  type ThreadList,
  type ThreadSubscription,
  type ThreadUnread,
  type ThreadsFilter,
  useAddReaction,
  useCreateComment,
  useCreateThread,
  useDeleteComment,
  useDeleteThread,
  useEditComment,
  useEditThread,
  useMarkThreadAsRead,
  useRemoveReaction,
  useReopenThread,
  useResolveThread,
  useThreadSubscription,
  useThreadUnread,
} from "./threads.js";

/** What is waited for. It is used until then: what nobody uses is not read again after a failure. */
const waiting = new WeakMap<object, Promise<void>>();

const never = (): (() => void) => () => {};

/**
 * Suspends until something is read, and throws if it cannot be. A server, and the first render of its
 * page, do neither: they show what is there before anything is known.
 *
 * @param begin reads it: effects of a component that suspends do not run.
 */
function useLoaded(
  readable: Readable<{ isLoading: boolean; error: Error | undefined }>,
  begin?: () => () => void,
): void {
  const isPage = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const { isLoading, error } = readable.get();
  if (!isPage) return;
  if (error) throw error;
  if (!isLoading) return;
  let wait = waiting.get(readable);
  if (!wait) {
    const leave = begin?.();
    wait = loaded(readable).then(() => {
      waiting.delete(readable);
      leave?.();
    });
    waiting.set(readable, wait);
  }
  throw wait;
}

/** As `Roundtable` of `roundtable/react`; with a `fallback`, what is below it may suspend. */
export function Roundtable({ fallback, children, ...props }: RoundtableProps & { fallback?: ReactNode }): ReactNode {
  return (
    <PlainRoundtable {...props}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </PlainRoundtable>
  );
}

/** As `Room` of `roundtable/react`: shows `fallback` while something below suspends. */
export function Room({
  documentId,
  fallback,
  children,
}: {
  documentId: string;
  fallback?: ReactNode;
  children?: ReactNode;
}): ReactNode {
  return (
    <PlainRoom documentId={documentId}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </PlainRoom>
  );
}

/** The threads of the room; suspends until they are read. */
export function useThreads(filter?: ThreadsFilter): ThreadList {
  useLoaded(useRoom().threads);
  return useThreadsState(filter);
}

/** A thread of the room, if there is one; suspends until threads are read. */
export function useThread(threadId: string): Thread | undefined {
  useLoaded(useRoom().threads);
  return useThreadState(threadId);
}

/** The user's notifications; suspends until they are read. */
export function useInbox(filter?: InboxFilter): InboxList {
  const inbox = useRoundtable().inbox(filter?.documentId);
  useLoaded(inbox.state, () => inbox.enter());
  return useInboxState(filter);
}

/** How many notifications of the user are unread and unseen; suspends until it is read. */
export function useUnreadCount(): UnreadState {
  const { unread } = useRoundtable();
  useLoaded(unread.state, () => unread.enter());
  return useUnreadState();
}

/** What the user wants to be told of; suspends until it is read. On a server it is empty. */
export function useNotificationSettings(scope?: {
  documentId?: string;
}): NotificationSettings & { settings: NotificationChannels } {
  const resource = useRoundtable().settings(scope?.documentId);
  useLoaded(resource, () => resource.enter());
  const state = useSettingsState(scope);
  return { ...state, settings: state.settings ?? {} };
}

/** What the service knows of the document of the room; suspends until it is read. On a server there is none. */
export function useDocument(): { document: Document | undefined } {
  const { document: resource } = useRoom();
  useLoaded(resource, () => resource.enter());
  const { document } = useDocumentState();
  return { document };
}
