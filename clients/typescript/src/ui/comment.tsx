import type { ReactNode } from "react";

import type { Comment as CommentData } from "../generated/types.js";
import { useRoom, useRoundtable } from "../react/context.js";
import { useUser } from "../react/people.js";
import { Fragment, h, useEffect, useRef, useState } from "../react/react.js";
import { useConnection } from "../react/sync.js";
import { isDraft } from "../store/draft.js";
import { Composer } from "./composer.js";
import { Text } from "./markdown.js";
import { Avatar } from "./people.js";
import { Part, type PartProps, useStrings } from "./part.js";
import { Reactions } from "./reactions.js";
import { Button } from "./states.js";
import { Timestamp } from "./times.js";

/** What {@link Comment} is given. */
export interface CommentProps extends PartProps {
  threadId: string;
  comment: CommentData;
  /** Reactions that are offered. */
  quick?: readonly string[] | undefined;
  /** The user deleted it: the place for the focus. */
  onDeleted?: () => void;
}

/** A comment, with what its author may do with it. */
export function Comment({ threadId, comment, quick, onDeleted, ...part }: CommentProps): ReactNode {
  const room = useRoom();
  const { role, options } = useRoundtable();
  const strings = useStrings();
  const { name } = useUser(comment.from.userId);
  const [mode, setMode] = useState<"shown" | "edited" | "deleted">("shown");
  const editButton = useRef<HTMLButtonElement>(null);
  const deleteButton = useRef<HTMLButtonElement>(null);
  const before = useRef<typeof mode>("shown");
  useEffect(() => {
    // The focus returns to the button that was used.
    if (mode === "shown" && before.current === "edited") editButton.current?.focus();
    if (mode === "shown" && before.current === "deleted") deleteButton.current?.focus();
    before.current = mode;
  }, [mode]);
  const { commentId, commentText = "", context, createdAt, isEdited } = comment;
  // Whoever wrote blocks changes them in the editor that made them.
  const isMine = role !== "viewer" && comment.from.userId === options.userId && context?.["body"] === undefined;
  const remove = (): void => {
    const thread = room.threads.get().threads.get(threadId);
    // The only comment takes its thread along.
    const isOnly = thread?.comments.length === 1 && thread.from.userId === options.userId;
    void (isOnly ? room.deleteThread(threadId) : room.deleteComment(threadId, commentId));
  };
  const content =
    mode === "edited" ? (
      <Composer
        threadId={threadId}
        initial={commentText}
        label={strings.edit}
        submitLabel={strings.save}
        hasFocus
        onCancel={() => setMode("shown")}
        onSubmit={({ text }) => {
          if (text !== commentText) void room.editComment(threadId, commentId, { text });
          setMode("shown");
        }}
      />
    ) : (
      <Part name="comment-body" dir="auto">
        <Text text={commentText} />
      </Part>
    );
  return (
    <Part
      as="article"
      name="comment"
      aria-label={strings.commentBy(name)}
      data-pending={isDraft(comment) || undefined}
      onKeyDown={(event) => {
        if (event.key === "Escape" && mode === "deleted") setMode("shown");
      }}
      {...part}
    >
      <Part name="comment-head">
        <Avatar userId={comment.from.userId} isDecorative />
        <Part as="span" name="author">
          {name}
        </Part>
        {isDraft(comment) ? <Pending /> : <Timestamp at={createdAt} />}
        {isEdited && (
          <Part as="span" name="edited">
            {strings.edited}
          </Part>
        )}
      </Part>
      {content}
      {mode === "deleted" && (
        <Part name="confirm" role="group" aria-label={strings.confirmRemove}>
          <span>{strings.confirmRemove}</span>
          <Button
            onClick={() => {
              remove();
              onDeleted?.();
            }}
          >
            {strings.remove}
          </Button>
          <Button elementRef={focused} onClick={() => setMode("shown")}>
            {strings.cancel}
          </Button>
        </Part>
      )}
      {mode === "shown" && (
        <Part name="comment-foot">
          <Reactions threadId={threadId} comment={comment} quick={quick} />
          {isMine && (
            <>
              <Button name="action" elementRef={editButton} onClick={() => setMode("edited")}>
                {strings.edit}
              </Button>
              <Button name="action" elementRef={deleteButton} onClick={() => setMode("deleted")}>
                {strings.remove}
              </Button>
            </>
          )}
        </Part>
      )}
    </Part>
  );
}

/** Takes the focus when it is shown. */
function focused(element: HTMLElement | null): void {
  element?.focus();
}

function Pending(): ReactNode {
  const strings = useStrings();
  const { status } = useConnection();
  return (
    <Part as="span" name="pending">
      {status === "connected" ? strings.sending : strings.waiting}
    </Part>
  );
}
