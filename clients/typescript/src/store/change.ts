import type {
  AnnotationStatusInput,
  CommentAnchor,
  CommentAnnotationPatch,
  Context,
  Location,
  NewCommentAttachment,
  NewVisibility,
} from "../generated/types.js";

/** What somebody writes in a comment. */
export interface CommentContent {
  /** Plain text. A mention is `{{userId}}` in it. */
  text: string;
  html?: string;
  /** Users and groups that are notified; those mentioned in the text when absent. */
  mentions?: string[];
  attachments?: NewCommentAttachment[];
  /** JSON of the application, such as the blocks of a rich text. The member `clientKey` is the store's. */
  context?: Context;
}

/** What a new thread has beside its first comment. */
export interface ThreadContent {
  /** The place in the document; `id` groups threads. */
  location?: Location | undefined;
  /** A range of a shared editor that the service marks, for users who may not edit. */
  anchor?: CommentAnchor | undefined;
  context?: Context | undefined;
  visibility?: NewVisibility;
}

/** What is changed of a thread; `null` clears it. */
export type ThreadEdits = Pick<CommentAnnotationPatch, "assignedTo" | "priority" | "context" | "location">;

/** What a change of any kind has. */
export interface ChangeBase {
  /** The `Idempotency-Key` of its call: executed once, however often it is sent. */
  key: string;
  /** The document, or "" for what is the user's own. */
  documentId: string;
  /** Changes of one subject are sent one after the other: the id of a thread, or `inbox`. */
  subject: string;
  /** When it was made, in epoch milliseconds. */
  at: number;
  /** Whether it asks the service to notify people: a repetition has the same body; true when absent. */
  notifies?: boolean;
  /** When it was first sent; a key is known for 24 hours. */
  sentAt?: number;
}

/** A change that the user made, as data: it outlives the page. */
export type Change = ChangeBase &
  (
    | { kind: "thread.add"; thread: ThreadContent; comment: CommentContent; draftId: number }
    | { kind: "thread.status"; status: AnnotationStatusInput }
    | { kind: "thread.edit"; edits: ThreadEdits }
    | { kind: "thread.subscription"; isSubscribed: boolean }
    | { kind: "thread.delete" }
    | { kind: "thread.seen" }
    | { kind: "comment.add"; comment: CommentContent; draftId: number }
    | { kind: "comment.edit"; commentId: number; comment: CommentContent }
    | { kind: "comment.delete"; commentId: number }
    | { kind: "reaction.add" | "reaction.remove"; commentId: number; icon: string }
    | { kind: "inbox.read" | "inbox.readAll" | "inbox.remove"; notificationIds: string[] }
  );

/** Each kind of change without the members of all. */
export type ChangeOf = Change extends infer One ? (One extends Change ? Omit<One, keyof ChangeBase> : never) : never;

/** The subject of the user's notifications. */
export const INBOX = "inbox";

/** Users that a comment mentions. */
export function mentionsOf({ text, mentions }: CommentContent): string[] {
  const found = mentions ?? [...text.matchAll(/\{\{([^{}]+)\}\}/g)].map((match) => match[1] ?? "");
  return [...new Set(found)];
}

/** The id of a comment of a change, if it is about one. */
export function commentIdOf(change: Change): number | undefined {
  return "commentId" in change ? change.commentId : undefined;
}
