"use client";
export { type AwarenessLike, type AwarenessState, useAwareness, useUpdateAwareness } from "./awareness.js";
export { useBroadcast, useEvent, useUpdatePresence } from "./broadcast.js";
export { useRoom, useRoundtable } from "./context.js";
export { useDocument, useLiveState } from "./document.js";
export {
  type InboxFilter,
  type InboxList,
  type NotificationSettings,
  useInbox,
  useNotificationSettings,
  useUnreadCount,
} from "./inbox.js";
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
export { Room, type RoomFallback, type RoomProps, Roundtable, type RoundtableProps } from "./providers.js";
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
  useThread,
  useThreads,
} from "./threads.js";
