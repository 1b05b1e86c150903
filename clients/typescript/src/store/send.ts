import { ApiError } from "../errors.js";
import type { Roundtable } from "../client.js";
import type { NewComment, NewCommentAnnotation } from "../generated/types.js";
import { type Change, type CommentContent, commentIdOf, mentionsOf } from "./change.js";
import { RefusedError } from "./refused.js";

/** After this time the service may have forgotten the key of a call that it executed. */
const KEY_MS = 23 * 3_600_000;

/** How many calls mark all notifications as read, each a hundred. */
const MOST_CALLS = 20;

/** Who sends, and to where. */
export interface Sender {
  api: Roundtable;
  organizationId: string;
  userId: string;
}

/** What the service made of a change. */
export interface Sent {
  /** The number of the comment that was added. */
  commentId?: number;
}

/** Makes the call of a change, once: `Idempotency-Key` and body are the same at each repetition. */
export async function send(sender: Sender, change: Change): Promise<Sent> {
  const { api, organizationId, userId } = sender;
  const { key, documentId, subject: annotationId } = change;
  if ((commentIdOf(change) ?? 0) < 0) throw new RefusedError("The comment was not stored.");
  if (change.sentAt !== undefined && Date.now() - change.sentAt > KEY_MS) {
    const known = await found(sender, change);
    if (known) return known;
  }
  const options = { idempotencyKey: key, maxRetries: 0 };
  const thread = { organizationId, documentId, annotationId };
  const named = { organizationId, documentId, annotationIds: [annotationId] };
  const trigger = (change.notifies ?? true) ? { triggerNotification: true } : {};
  const from = { userId };
  const comment = (content: CommentContent): NewComment => ({
    ...textOf(content),
    context: { ...content.context, clientKey: key },
    from,
    ...trigger,
  });
  const { comments, notifications } = api;
  switch (change.kind) {
    case "thread.add": {
      const made = { ...change.thread, annotationId, commentData: [comment(change.comment)] };
      const request = { organizationId, documentId, commentAnnotations: [made as NewCommentAnnotation] };
      const { data } = await comments.annotationsAdd(request, options);
      // The id of a thread that was stored, whatever the first reply was, is taken.
      const known = data[annotationId]?.success ? undefined : await found(sender, change);
      // Such a thread may lack its mark: a call of its own writes it.
      if (known && change.thread.anchor) await comments.annotationsAdd(request, { maxRetries: 0 });
      if (known) return known;
      checked(data);
      return numbered(data[annotationId]?.commentIds[0]);
    }
    case "thread.edit":
    case "thread.status": {
      const updatedData = change.kind === "thread.edit" ? change.edits : { status: change.status };
      checked((await comments.annotationsUpdate({ ...named, updatedData, ...trigger }, options)).data);
      break;
    }
    case "thread.delete":
      checked((await comments.annotationsDelete(named, options)).data);
      break;
    case "thread.subscription":
      await comments[change.isSubscribed ? "annotationsSubscribe" : "annotationsUnsubscribe"](
        { ...thread, user: from },
        options,
      );
      break;
    case "thread.seen":
      await notifications.seen({ ...thread, userId }, options);
      break;
    case "comment.add": {
      const { data } = await comments.add({ ...thread, commentData: [comment(change.comment)] }, options);
      return numbered(data[0]);
    }
    case "comment.edit": {
      const { context } = change.comment;
      const updatedData = { ...textOf(change.comment), ...(context && { context }) };
      const request = { ...thread, commentIds: [change.commentId], updatedData, ...trigger };
      checked((await comments.update(request, options)).data);
      break;
    }
    case "comment.delete":
      checked((await comments.delete({ ...thread, commentIds: [change.commentId] }, options)).data);
      break;
    case "reaction.add":
    case "reaction.remove": {
      const { commentId, icon } = change;
      const request = { ...thread, commentId, icon, from };
      if (change.kind === "reaction.add") await comments.reactionsAdd({ ...request, ...trigger }, options);
      // What is gone is as it should be.
      else await comments.reactionsDelete(request, options).catch(unlessGone);
      break;
    }
    case "inbox.readAll":
      await readAll(sender);
      break;
    case "inbox.remove":
      // An entry fails for what is deleted already.
      await notifications.delete({ organizationId, notificationIds: change.notificationIds }, options);
      break;
    case "inbox.read": {
      const read = change.notificationIds.map((id) => ({ id, readByUserIds: [userId] }));
      // An entry fails for what was deleted on another page: nobody needs to hear of that.
      await notifications.update({ organizationId, notifications: read }, options);
    }
  }
  return {};
}

function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError) || error.code !== "NOT_FOUND") throw error;
}

/** Marks all notifications as read, some at a time. What is read already is not marked again, so no call needs a key. */
async function readAll({ api, organizationId, userId }: Sender): Promise<void> {
  for (let calls = 0; calls < MOST_CALLS; calls++) {
    const { hasMore } = await api.notifications.update({ organizationId, userId, all: true }, { maxRetries: 0 });
    if (!hasMore) return;
  }
}

/** Whether an old change that adds something was made; others may be made twice. */
async function found({ api, organizationId }: Sender, change: Change): Promise<Sent | undefined> {
  const { documentId, subject: annotationId, key } = change;
  const comments =
    change.kind === "thread.add" || change.kind === "comment.add"
      ? api.comments.getAll({ organizationId, documentId, annotationId })
      : [];
  // The id of a thread may be that of somebody else's.
  for await (const { context, commentId } of comments) if (context?.["clientKey"] === key) return numbered(commentId);
  return undefined;
}

function textOf(content: CommentContent): Omit<NewComment, "from"> {
  const { text, html, attachments } = content;
  return {
    commentText: text,
    ...(html !== undefined && { commentHtml: html }),
    ...(attachments && { attachments }),
    taggedUserContacts: mentionsOf(content).map((userId) => ({ userId, contact: { userId } })),
  };
}

/** A failed entry does not fail its call. */
export function checked(data: Record<string, { success: boolean; message: string }>): void {
  const failed = Object.values(data).find(({ success }) => !success);
  if (failed) throw new RefusedError(failed.message);
}

function numbered(commentId: number | undefined): Sent {
  return commentId === undefined ? {} : { commentId };
}
