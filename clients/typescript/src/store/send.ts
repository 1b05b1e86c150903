import { ApiError } from "../errors.js";
import type { Roundtable } from "../client.js";
import type { NewComment } from "../generated/types.js";
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
  const trigger = (change.notifies ?? true) ? { triggerNotification: true } : {};
  const from = { userId };
  const comment = (content: CommentContent): NewComment => ({
    ...textOf(content),
    context: { ...content.context, clientKey: key },
    from,
    ...trigger,
  });
  switch (change.kind) {
    case "thread.add": {
      const made = { ...change.thread, annotationId, commentData: [comment(change.comment)] };
      const request = { organizationId, documentId, commentAnnotations: [made] };
      const { data } = await api.comments.annotationsAdd(request, options);
      // The id of a thread that was stored, whatever the first reply was, is taken.
      const known = data[annotationId]?.success ? undefined : await found(sender, change);
      // Such a thread may lack its mark: a call of its own writes it.
      if (known && change.thread.anchor) await api.comments.annotationsAdd(request, { maxRetries: 0 });
      if (known) return known;
      checked(data);
      return numbered(data[annotationId]?.commentIds[0]);
    }
    case "thread.status": {
      const updatedData = { status: change.status };
      const request = { organizationId, documentId, annotationIds: [annotationId], updatedData, ...trigger };
      checked((await api.comments.annotationsUpdate(request, options)).data);
      return {};
    }
    case "thread.delete":
      checked((await api.comments.annotationsDelete({ organizationId, documentId, annotationIds: [annotationId] }, options)).data);
      return {};
    case "thread.subscription": {
      const request = { ...thread, user: from };
      if (change.isSubscribed) await api.comments.annotationsSubscribe(request, options);
      else await api.comments.annotationsUnsubscribe(request, options);
      return {};
    }
    case "thread.seen":
      await api.notifications.seen({ ...thread, userId }, options);
      return {};
    case "comment.add": {
      const { data } = await api.comments.add({ ...thread, commentData: [comment(change.comment)] }, options);
      return numbered(data[0]);
    }
    case "comment.edit": {
      const { context } = change.comment;
      const updatedData = { ...textOf(change.comment), ...(context && { context }) };
      const request = { ...thread, commentIds: [change.commentId], updatedData, ...trigger };
      checked((await api.comments.update(request, options)).data);
      return {};
    }
    case "comment.delete":
      checked((await api.comments.delete({ ...thread, commentIds: [change.commentId] }, options)).data);
      return {};
    case "reaction.add":
      await api.comments.reactionsAdd(
        { ...thread, commentId: change.commentId, icon: change.icon, from, ...trigger },
        options,
      );
      return {};
    case "reaction.remove":
      try {
        await api.comments.reactionsDelete(
          { ...thread, commentId: change.commentId, icon: change.icon, from },
          options,
        );
      } catch (error) {
        // It is gone, as it should be.
        if (!(error instanceof ApiError) || error.code !== "NOT_FOUND") throw error;
      }
      return {};
    case "inbox.readAll":
      await readAll(sender);
      return {};
    case "inbox.remove":
      // An entry fails for what is deleted already.
      await api.notifications.delete({ organizationId, notificationIds: change.notificationIds }, options);
      return {};
    case "inbox.read": {
      const notifications = change.notificationIds.map((id) => ({ id, readByUserIds: [userId] }));
      checked((await api.notifications.update({ organizationId, notifications }, options)).data);
      return {};
    }
  }
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
  if (change.kind === "thread.add") {
    const named = { organizationId, documentIds: [documentId], annotationIds: [annotationId] };
    for await (const { comments } of api.comments.annotationsGetAll(named)) {
      // The id may be that of somebody else's thread.
      const comment = comments.find(({ context }) => context?.["clientKey"] === key);
      if (comment) return numbered(comment.commentId);
    }
  }
  if (change.kind === "comment.add") {
    for await (const comment of api.comments.getAll({ organizationId, documentId, annotationId })) {
      if (comment.context?.["clientKey"] === key) return numbered(comment.commentId);
    }
  }
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
