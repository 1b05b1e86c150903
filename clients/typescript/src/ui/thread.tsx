import type { ReactNode } from "react";

import { useRoom, useRoundtable } from "../react/context.js";
import { useRole, useUser } from "../react/people.js";
import { h, memo, useCallback, useEffect, useRef } from "../react/react.js";
import type { Thread as ThreadData } from "../store/draft.js";
import { Comment } from "./comment.js";
import { Composer, type ComposerProps } from "./composer.js";
import { Failures } from "./failures.js";
import { Part, type PartProps, useStrings } from "./part.js";
import { Button } from "./states.js";
import { UnreadDot, useUnread } from "./unread.js";

/** What {@link Thread} is given. */
export interface ThreadProps extends PartProps {
  thread: ThreadData;
  /** Whether it is the one that the page shows. */
  isSelected?: boolean;
  /** It was clicked, or has the focus. */
  onSelect?: ((threadId: string) => void) | undefined;
  /** Reactions that are offered. */
  quick?: readonly string[] | undefined;
  /** Another field for answers. */
  renderComposer?: ComposerProps["render"];
}

/** Comments of a thread that did not change are not rendered again. */
const KeptComment = /* @__PURE__ */ memo(Comment);

/** A thread: its comments, a field for an answer, and a button that resolves it. */
export function Thread({ thread, isSelected, onSelect, quick, renderComposer, ...part }: ThreadProps): ReactNode {
  const room = useRoom();
  const store = useRoundtable();
  const role = useRole();
  const strings = useStrings();
  const { annotationId: id, comments, from } = thread;
  const { name } = useUser(from.userId);
  const unread = useUnread(id);
  const root = useRef<HTMLElement>(null);
  const focus = useCallback(() => root.current?.focus(), []);
  useEffect(() => {
    const element = root.current;
    // Selected elsewhere, as in the text: whoever is in the thread sees it.
    if (isSelected && !element?.contains(document.activeElement)) element?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  const quote = thread.location?.["quote"];
  const isResolved = thread.status.type === "terminal";
  // Commenters change the status of threads that they began.
  const mayResolve = role === "editor" || (role === "commenter" && from.userId === store.options.userId);
  const seen = (): void => {
    if (unread.length > 0) void store.inbox().markRead(unread);
    onSelect?.(id);
  };
  return (
    <Part
      name="thread"
      role="group"
      elementRef={root}
      tabIndex={-1}
      aria-label={strings.threadBy(name)}
      data-thread={id}
      data-resolved={isResolved || undefined}
      data-pending={thread.isPending || undefined}
      data-selected={isSelected || undefined}
      onFocus={seen}
      {...part}
    >
      <Part name="thread-head">
        <UnreadDot threadId={id} />
        {isResolved && (
          <Part as="span" name="resolved">
            {strings.resolved}
          </Part>
        )}
        {typeof quote === "string" && (
          <Part as="q" name="quote" dir="auto" title={quote}>
            {quote}
          </Part>
        )}
        {mayResolve && (
          <Button
            name="action"
            onClick={() => {
              void (isResolved ? room.reopenThread(id) : room.resolveThread(id));
              focus();
            }}
          >
            {isResolved ? strings.reopen : strings.resolve}
          </Button>
        )}
      </Part>
      {comments.map((comment) => (
        <KeptComment
          // The same element before and after it is stored.
          key={String(comment.context?.["clientKey"] ?? comment.commentId)}
          threadId={id}
          comment={comment}
          quick={quick}
          onDeleted={focus}
        />
      ))}
      <Failures threadId={id} />
      {!isResolved && <Composer threadId={id} render={renderComposer} />}
    </Part>
  );
}
