import type { AnnotationStatus, Comment, CommentAnnotation, Person, Reaction } from "../generated/types.js";
import { type Change, type CommentContent, mentionsOf } from "./change.js";

/** A thread, with the user's own changes that are not stored yet. */
export type Thread = CommentAnnotation & {
  /** Whether a change of it is not stored yet. */
  isPending: boolean;
};

const OPEN: AnnotationStatus = { id: "OPEN", name: "Open", type: "default", color: "", lightColor: "" };
const RESOLVED: AnnotationStatus = { id: "RESOLVED", name: "Resolved", type: "terminal", color: "", lightColor: "" };

/** Whether a comment is not stored yet: its id changes when it is. */
export function isDraft({ commentId }: Pick<Comment, "commentId">): boolean {
  return commentId < 0;
}

/** The thread after a change; undefined when there is none. To apply a change that it has is no change. */
export function applied(thread: Thread | undefined, change: Change, me: Person): Thread | undefined {
  if (change.kind === "thread.add") return thread ?? draftThread(change, me);
  if (!thread) return undefined;
  switch (change.kind) {
    case "comment.add": {
      const isStored = thread.comments.some(({ context }) => context?.["clientKey"] === change.key);
      if (isStored) return thread;
      const comment = draftComment(change.key, change.draftId, change.comment, change.at, me);
      return { ...thread, comments: [...thread.comments, comment], unread: false };
    }
    case "comment.edit":
      return withComment(thread, change.commentId, (comment) => ({
        ...comment,
        ...contentOf(comment.context?.["clientKey"], change.comment),
        isEdited: true,
        status: "updated",
        lastUpdated: new Date(change.at).toISOString(),
      }));
    case "comment.delete":
      return { ...thread, comments: thread.comments.filter(({ commentId }) => commentId !== change.commentId) };
    case "reaction.add":
    case "reaction.remove":
      return withComment(thread, change.commentId, (comment) => ({
        ...comment,
        reactionAnnotations: reacted(comment, change.icon, change.kind === "reaction.add", thread, change.at, me),
      }));
    case "thread.status": {
      const known = { OPEN, RESOLVED }[change.status.id];
      const status = { ...thread.status, ...(known ?? (change.status as Partial<AnnotationStatus>)) };
      const { resolvedByUserId: _, ...rest } = thread;
      const isResolved = status.type === "terminal";
      return { ...rest, status, statusUpdatedByUserId: me.userId, ...(isResolved && { resolvedByUserId: me.userId }) };
    }
    case "thread.edit": {
      const known = Object.entries(change.edits).map(([name, value]) => [name, value ?? undefined]);
      return { ...thread, ...(Object.fromEntries(known) as Partial<Thread>) };
    }
    case "thread.subscription": {
      const { [me.userId]: _, ...subscribedUsers } = thread.subscribedUsers;
      const { [me.userId]: __, ...unsubscribedUsers } = thread.unsubscribedUsers;
      if (change.isSubscribed) subscribedUsers[me.userId] = { type: "manual", user: me };
      else unsubscribedUsers[me.userId] = { user: me };
      return { ...thread, subscribedUsers, unsubscribedUsers };
    }
    case "thread.delete":
      return undefined;
    case "thread.seen":
      return seen(thread, change.at);
    default:
      return thread;
  }
}

/** The thread after the user has seen it. */
export function seen<T extends CommentAnnotation>(thread: T, at: number): T {
  if (thread.unread === undefined || at <= (thread.seenAt ?? 0)) return thread;
  const isNewer = thread.comments.some(({ createdAt }) => createdAt > at);
  return { ...thread, seenAt: at, unread: thread.unread && isNewer };
}

/** The first comment and what is around it, as the service will show it. */
function draftThread(change: Change & { kind: "thread.add" }, me: Person): Thread {
  const { subject, documentId, at, thread, comment } = change;
  const { visibility, ...place } = thread;
  return {
    annotationId: subject,
    commentType: "manual",
    comments: [draftComment(change.key, change.draftId, comment, at, me)],
    createdAt: at,
    from: me,
    involvedUserIds: [me.userId, ...mentionsOf(comment)],
    lastUpdated: at,
    mentionedUserIds: mentionsOf(comment),
    metadata: { organizationId: "", documentId },
    sourceType: "rest-api",
    status: OPEN,
    unread: false,
    subscribedUsers: { [me.userId]: { type: "auto", user: me } },
    type: "comment",
    unsubscribedUsers: {},
    visibilityConfig: { type: visibility?.type ?? "public" },
    isPending: true,
    ...(place as Pick<Thread, "location" | "anchor" | "context">),
  };
}

function draftComment(key: string, commentId: number, content: CommentContent, at: number, from: Person): Comment {
  return {
    attachments: [],
    commentId,
    createdAt: at,
    from,
    isCommentResolverUsed: false,
    isCommentTextAvailable: true,
    isDraft: false,
    isEdited: false,
    lastUpdated: new Date(at).toISOString(),
    reactionAnnotationIds: [],
    reactionAnnotations: [],
    sourceType: "rest-api",
    status: "added",
    type: "text",
    ...contentOf(key, content),
  };
}

function contentOf(
  clientKey: unknown,
  content: CommentContent,
): Pick<Comment, "commentText" | "context" | "taggedUserContacts" | "to"> {
  const people = mentionsOf(content).map((userId) => ({ userId }));
  return {
    commentText: content.text,
    ...(content.html !== undefined && { commentHtml: content.html }),
    context: { ...content.context, ...(clientKey !== undefined && { clientKey }) },
    taggedUserContacts: people.map((contact) => ({ userId: contact.userId, contact })),
    to: people,
  };
}

function withComment(thread: Thread, id: number, change: (comment: Comment) => Comment): Thread {
  return { ...thread, comments: thread.comments.map((it) => (it.commentId === id ? change(it) : it)) };
}

function reacted(comment: Comment, icon: string, isThere: boolean, thread: Thread, at: number, me: Person): Reaction[] {
  const others = comment.reactionAnnotations.filter((it) => it.icon !== icon);
  const known = comment.reactionAnnotations.find((it) => it.icon === icon);
  const had = known?.fromUsers.some(({ from }) => from.userId === me.userId) ?? false;
  if (had === isThere) return comment.reactionAnnotations;
  const rest = known?.fromUsers.filter(({ from }) => from.userId !== me.userId) ?? [];
  const fromUsers = isThere ? [...rest, { from: me, lastUpdated: at }] : rest;
  if (fromUsers.length === 0) return others;
  const reaction: Reaction = known ?? {
    annotationId: `draft-${icon}`,
    commentAnnotationId: thread.annotationId,
    commentId: comment.commentId,
    fromUsers,
    icon,
    involvedUserIds: [],
    lastUpdated: at,
    metadata: thread.metadata,
    type: "reaction",
  };
  const mine = { ...reaction, fromUsers, lastUpdated: at };
  if (!known) return [...others, mine];
  return comment.reactionAnnotations.map((it) => (it === known ? mine : it));
}
