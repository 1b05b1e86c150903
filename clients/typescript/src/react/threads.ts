import type { Comment } from "../generated/types.js";
import type { CommentContent, ThreadEdits } from "../store/change.js";
import type { Thread } from "../store/draft.js";
import type { NewThread, RoomStore } from "../store/room.js";
import type { ThreadsState } from "../store/threads.js";
import { useRoom, useRoundtable } from "./context.js";
import { useCallback, useMemo } from "./react.js";
import { isShallowEqual, useReadable } from "./select.js";

/** Which threads a list has, and in which order. */
export interface ThreadsFilter {
  /** Only resolved ones, or only others. */
  resolved?: boolean | undefined;
  /** Only those whose `location` has this id. */
  locationId?: string | number | undefined;
  /** By creation: `desc`, the newest first, when absent. */
  order?: "asc" | "desc";
}

/** Threads of the room. */
export interface ThreadList {
  threads: readonly Thread[];
  isLoading: boolean;
  error: Error | undefined;
  /** Whether there are older ones, which `fetchMore` reads. */
  hasMore: boolean;
  fetchMore: () => Promise<void>;
}

/** The threads of the room. */
export function useThreads({ resolved, locationId, order = "desc" }: ThreadsFilter = {}): ThreadList {
  const room = useRoom();
  const select = useCallback(
    ({ threads }: ThreadsState) => {
      const sign = order === "asc" ? 1 : -1;
      return [...threads.values()]
        .filter((it) => resolved === undefined || (it.status.type === "terminal") === resolved)
        .filter((it) => locationId === undefined || String(it.location?.id) === String(locationId))
        .sort((a, b) => sign * (a.createdAt - b.createdAt || (a.annotationId < b.annotationId ? -1 : 1)));
    },
    [resolved, locationId, order],
  );
  const threads = useReadable(room.threads, select, isShallowEqual);
  const state = useReadable(room.threads, stateOf, isShallowEqual);
  return useMemo(() => ({ threads, ...state, fetchMore: () => room.fetchMore() }), [threads, state, room]);
}

function stateOf({ isLoading, error, hasMore }: ThreadsState) {
  return { isLoading, error, hasMore };
}

/** A thread of the room; undefined while it is not read, or if there is none. */
export function useThread(threadId: string): Thread | undefined {
  return useReadable(
    useRoom().threads,
    useCallback(({ threads }: ThreadsState) => threads.get(threadId), [threadId]),
  );
}

type Method = (...given: never[]) => unknown;

/** A method of the room as a function, the same for each render. */
function useAction<Name extends keyof RoomStore>(name: Name): RoomStore[Name] {
  const room = useRoom();
  return useMemo(() => (room[name] as Method).bind(room) as RoomStore[Name], [room]);
}

/** Begins a thread: it is returned and shown at once, with its id. `sent` ends when it is stored or refused. */
export function useCreateThread(): (thread: NewThread) => { thread: Thread; sent: Promise<void> } {
  return useAction("createThread");
}

/** Deletes a thread that the user began and in which nobody else commented. */
export function useDeleteThread(): (threadId: string) => Promise<void> {
  return useAction("deleteThread");
}

/** Changes whom a thread is assigned to, its priority, context or place, where the API key allows that to end users. */
export function useEditThread(): (threadId: string, edits: ThreadEdits) => Promise<void> {
  return useAction("editThread");
}

/** Resolves a thread. */
export function useResolveThread(): (threadId: string) => Promise<void> {
  return useAction("resolveThread");
}

/** Opens a resolved thread again. */
export function useReopenThread(): (threadId: string) => Promise<void> {
  return useAction("reopenThread");
}

/** Answers in a thread: the comment is returned and shown at once, with a negative number until it is stored. */
export function useCreateComment(): (
  threadId: string,
  comment: CommentContent,
) => { comment: Comment; sent: Promise<void> } {
  return useAction("createComment");
}

/** Changes a comment of the user. */
export function useEditComment(): (threadId: string, commentId: number, comment: CommentContent) => Promise<void> {
  return useAction("editComment");
}

/** Deletes a comment of the user. */
export function useDeleteComment(): (threadId: string, commentId: number) => Promise<void> {
  return useAction("deleteComment");
}

/** Reacts to a comment, with an emoji or another name. */
export function useAddReaction(): (threadId: string, commentId: number, icon: string) => Promise<void> {
  return useAction("addReaction");
}

/** Takes a reaction of the user back. */
export function useRemoveReaction(): (threadId: string, commentId: number, icon: string) => Promise<void> {
  return useAction("removeReaction");
}

/** Tells the service that the user has seen a thread, so that nobody notifies of it. */
export function useMarkThreadAsRead(): (threadId: string) => Promise<void> {
  return useAction("markThreadAsRead");
}

/** What of a thread the user has not seen. */
export interface ThreadUnread {
  isUnread: boolean;
  /** When the user saw the thread last, in epoch milliseconds; unknown for one that the user never saw. */
  unreadSince: number | undefined;
}

/** Whether others wrote in a thread since the user saw it, the same on each page of the user. */
export function useThreadUnread(threadId: string): ThreadUnread {
  return useReadable(
    useRoom().threads,
    useCallback(
      ({ threads }: ThreadsState) => {
        const { unread = false, seenAt } = threads.get(threadId) ?? {};
        return { isUnread: unread, unreadSince: unread ? seenAt : undefined };
      },
      [threadId],
    ),
    isShallowEqual,
  );
}

/** Whether the user is told of a thread, and functions that change it. */
export interface ThreadSubscription {
  /** `none` if the user never was. */
  status: "subscribed" | "unsubscribed" | "none";
  subscribe: () => Promise<void>;
  unsubscribe: () => Promise<void>;
}

/** The user's subscription of a thread. */
export function useThreadSubscription(threadId: string): ThreadSubscription {
  const room = useRoom();
  const { userId } = useRoundtable().options;
  const status = useReadable(
    room.threads,
    useCallback(
      ({ threads }: ThreadsState) => {
        const thread = threads.get(threadId);
        if (thread && userId in thread.subscribedUsers) return "subscribed";
        return thread && userId in thread.unsubscribedUsers ? "unsubscribed" : "none";
      },
      [threadId, userId],
    ),
  );
  return useMemo(
    () => ({
      status,
      subscribe: () => room.setThreadSubscription(threadId, true),
      unsubscribe: () => room.setThreadSubscription(threadId, false),
    }),
    [status, room, threadId],
  );
}
