import { type CommentBody, type CommentData, type ThreadData, ThreadStore } from "@blocknote/core/comments";

import type { Comment, CommentAnchor, Context } from "../generated/types.js";
import type { CommentContent } from "../store/change.js";
import type { Thread } from "../store/draft.js";
import type { RoomStore } from "../store/room.js";
import type { RoundtableStore } from "../store/store.js";
import { RoundtableThreadStoreAuth } from "./auth.js";
import { bodyOf, textOf } from "./body.js";
import { introduce } from "./users.js";

/** What a {@link RoundtableThreadStore} may be given. */
export interface ThreadStoreOptions {
  /** The shared editor; `body` when absent. */
  editorId?: string;
  /** Users whom a comment mentions; inline content of the type `mention` when absent. */
  mentionsOf?: (body: CommentBody) => string[];
  /**
   * The place of the selected text, for commenters: the service marks it if the API key has `comment` as
   * its `anchorMark`.
   */
  anchorOf?: () => CommentAnchor | undefined;
}

/**
 * BlockNote's threads, kept in Roundtable. Changes are shown at once and sent later; a change that is
 * refused is taken back, and told by `store.sync`. Give it to BlockNote when the threads of the room are
 * read: it takes a thread that it does not know for one that is gone, and writes that into the document.
 *
 * ```ts
 * const threadStore = new RoundtableThreadStore(store, store.room("welcome"));
 * CommentsExtension({ threadStore, resolveUsers: userStoreOf(store) });
 * ```
 */
export class RoundtableThreadStore extends ThreadStore {
  readonly #store: RoundtableStore;
  readonly #room: RoomStore;
  readonly #options: ThreadStoreOptions;
  #known: { threads: ReadonlyMap<string, Thread>; data: Map<string, ThreadData> } | undefined;

  /** Commenters cannot mark the text; for others BlockNote does. */
  declare addThreadToDocument?: NonNullable<ThreadStore["addThreadToDocument"]>;

  constructor(store: RoundtableStore, room: RoomStore, options: ThreadStoreOptions = {}) {
    super(new RoundtableThreadStoreAuth(store.options.userId, () => store.role));
    this.#store = store;
    this.#room = room;
    this.#options = options;
    if (store.role === "commenter") this.addThreadToDocument = async () => {};
    this.#introduce();
  }

  /** Returns at once, so that the mark goes to what is selected at this moment. */
  async createThread({
    initialComment,
    metadata,
  }: {
    initialComment: NewComment;
    metadata?: Context;
  }): Promise<ThreadData> {
    const { editorId = "body", anchorOf } = this.#options;
    const anchor = this.#store.role === "commenter" ? anchorOf?.() : undefined;
    const { thread } = this.#room.createThread({
      comment: this.#content(initialComment),
      location: { id: editorId, editorId },
      context: metadata,
      anchor,
    });
    return this.getThread(thread.annotationId);
  }

  async addComment({ comment, threadId }: { comment: NewComment; threadId: string }): Promise<CommentData> {
    return this.#comment(this.#room.createComment(threadId, this.#content(comment)).comment);
  }

  async updateComment({
    comment,
    threadId,
    commentId,
  }: {
    comment: NewComment;
    threadId: string;
    commentId: string;
  }): Promise<void> {
    void this.#room.editComment(threadId, Number(commentId), this.#content(comment));
  }

  async deleteComment({ threadId, commentId }: { threadId: string; commentId: string }): Promise<void> {
    void this.#room.deleteComment(threadId, Number(commentId));
  }

  /** Of a thread in which others commented, `auth` says that it stays. */
  async deleteThread({ threadId }: { threadId: string }): Promise<void> {
    void this.#room.deleteThread(threadId);
  }

  async resolveThread({ threadId }: { threadId: string }): Promise<void> {
    void this.#room.resolveThread(threadId);
  }

  async unresolveThread({ threadId }: { threadId: string }): Promise<void> {
    void this.#room.reopenThread(threadId);
  }

  async addReaction({
    threadId,
    commentId,
    emoji,
  }: {
    threadId: string;
    commentId: string;
    emoji: string;
  }): Promise<void> {
    void this.#room.addReaction(threadId, Number(commentId), emoji);
  }

  async deleteReaction({
    threadId,
    commentId,
    emoji,
  }: {
    threadId: string;
    commentId: string;
    emoji: string;
  }): Promise<void> {
    void this.#room.removeReaction(threadId, Number(commentId), emoji);
  }

  getThread(threadId: string): ThreadData {
    const found = this.getThreads().get(threadId);
    if (!found) throw new Error("There is no such thread.");
    return found;
  }

  /** A new map after each change, and the same one until then. BlockNote shows no thread without comments. */
  getThreads(): Map<string, ThreadData> {
    const { threads } = this.#room.threads.get();
    if (this.#known?.threads === threads) return this.#known.data;
    const before = this.#known;
    const data = new Map(
      [...threads]
        .filter(([, { comments }]) => comments.length > 0)
        .map(([id, thread]) => {
          const same = before?.threads.get(id) === thread ? before.data.get(id) : undefined;
          return [id, same ?? this.#thread(thread)];
        }),
    );
    this.#known = { threads, data };
    return data;
  }

  subscribe(told: (threads: Map<string, ThreadData>) => void): () => void {
    const { threads } = this.#room;
    this.#introduce();
    return threads.subscribe(() => {
      this.#introduce();
      const { isLoading, error } = threads.get();
      if (!isLoading && !error) told(this.getThreads());
    });
  }

  #introduce(): void {
    const by = [...this.#room.threads.get().threads.values()].map(({ resolvedByUserId }) => resolvedByUserId);
    introduce(
      this.#store,
      by.filter((id) => id !== undefined),
    );
  }

  #content({ body, metadata }: NewComment): CommentContent {
    const { mentionsOf } = this.#options;
    const context = { body: body as unknown, ...(metadata !== undefined && { metadata: metadata as unknown }) };
    return { text: textOf(body), context, ...(mentionsOf && { mentions: mentionsOf(body) }) };
  }

  #thread(thread: Thread): ThreadData {
    const { annotationId: id, createdAt, lastUpdated, comments, status, resolvedByUserId, context } = thread;
    const resolved = status.type === "terminal";
    return {
      type: "thread",
      id,
      createdAt: new Date(createdAt),
      updatedAt: new Date(lastUpdated),
      comments: comments.map((comment) => this.#comment(comment)),
      resolved,
      ...(resolved && { resolvedUpdatedAt: new Date(lastUpdated) }),
      ...(resolvedByUserId !== undefined && { resolvedBy: resolvedByUserId }),
      metadata: context ?? {},
    };
  }

  #comment({
    commentId,
    from,
    createdAt,
    lastUpdated,
    reactionAnnotations,
    context,
    commentText,
  }: Comment): CommentData {
    const nameOf = (userId: string): string => this.#store.users.of(userId).name;
    return {
      type: "comment",
      id: String(commentId),
      userId: from.userId,
      createdAt: new Date(createdAt),
      updatedAt: new Date(lastUpdated),
      reactions: reactionAnnotations.map(({ icon, fromUsers, lastUpdated: at }) => ({
        emoji: icon,
        createdAt: new Date(at),
        userIds: fromUsers.map((it) => it.from.userId),
      })),
      metadata: context?.["metadata"] ?? {},
      body: (context?.["body"] as CommentBody | undefined) ?? bodyOf(commentText ?? "", nameOf),
    };
  }
}

interface NewComment {
  body: CommentBody;
  metadata?: unknown;
}
