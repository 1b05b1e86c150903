import { type CommentData, type ThreadData, ThreadStoreAuth } from "@blocknote/core/comments";

import type { Role } from "../store/store.js";

/** What the service allows an end user: the buttons of everything else are hidden. */
export class RoundtableThreadStoreAuth extends ThreadStoreAuth {
  readonly #userId: string;
  readonly #role: () => Role;

  constructor(userId: string, role: () => Role) {
    super();
    this.#userId = userId;
    this.#role = role;
  }

  canCreateThread(): boolean {
    return this.#mayComment;
  }

  canAddComment(): boolean {
    return this.#mayComment;
  }

  canUpdateComment(comment: CommentData): boolean {
    return this.#mayComment && comment.userId === this.#userId;
  }

  canDeleteComment(comment: CommentData): boolean {
    return this.#mayComment && comment.userId === this.#userId;
  }

  /** End users delete threads in which nobody else commented. */
  canDeleteThread({ comments }: ThreadData): boolean {
    return this.#mayComment && comments.length > 0 && comments.every(({ userId }) => userId === this.#userId);
  }

  canResolveThread(thread: ThreadData): boolean {
    return this.#mayChange(thread);
  }

  canUnresolveThread(thread: ThreadData): boolean {
    return this.#mayChange(thread);
  }

  canAddReaction(comment: CommentData, emoji?: string): boolean {
    return this.#mayComment && (emoji === undefined || !this.#hasReacted(comment, emoji));
  }

  canDeleteReaction(comment: CommentData, emoji?: string): boolean {
    return this.#mayComment && (emoji === undefined || this.#hasReacted(comment, emoji));
  }

  get #mayComment(): boolean {
    return this.#role() !== "viewer";
  }

  /** Commenters change the status of threads that they began. */
  #mayChange(thread: ThreadData): boolean {
    return this.#role() === "editor" || (this.#mayComment && thread.comments[0]?.userId === this.#userId);
  }

  #hasReacted({ reactions }: CommentData, emoji: string): boolean {
    return reactions.some((it) => it.emoji === emoji && it.userIds.includes(this.#userId));
  }
}
