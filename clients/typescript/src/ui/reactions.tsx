import type { ReactNode } from "react";

import type { Comment, Reaction } from "../generated/types.js";
import { useRoom, useRoundtable } from "../react/context.js";
import { useRole, useUsers } from "../react/people.js";
import { h, useRef, useState } from "../react/react.js";
import { isDraft } from "../store/draft.js";
import { Icon, Part, type PartProps, useStrings } from "./part.js";
import { Button } from "./states.js";

/** Offered when nothing else is said. */
const QUICK = ["👍", "❤️", "😄", "🎉", "👀", "🚀", "🤔", "👎"];

/** What {@link Reactions} is given. */
export interface ReactionsProps extends PartProps {
  threadId: string;
  comment: Comment;
  /** What is offered; eight emoji when absent. */
  quick?: readonly string[] | undefined;
}

/** Who reacted how to a comment, and buttons to do so. */
export function Reactions({ threadId, comment, quick = QUICK, ...part }: ReactionsProps): ReactNode {
  const room = useRoom();
  const store = useRoundtable();
  const role = useRole();
  const strings = useStrings();
  const [isOpen, setOpen] = useState(false);
  const add = useRef<HTMLButtonElement>(null);
  const { commentId, reactionAnnotations: reactions } = comment;
  const idsOf = ({ fromUsers }: Reaction): string[] => fromUsers.map(({ from }) => from.userId);
  const names = new Map(useUsers(reactions.flatMap(idsOf)).map((it) => [it.id, it.name]));
  const mine = new Set(reactions.filter((it) => idsOf(it).includes(store.options.userId)).map((it) => it.icon));
  const toggle = (icon: string): void => {
    if (mine.has(icon)) void room.removeReaction(threadId, commentId, icon);
    else void room.addReaction(threadId, commentId, icon);
  };
  const close = (): void => {
    setOpen(false);
    add.current?.focus();
  };
  const mayReact = role !== "viewer" && !isDraft(comment);
  if (reactions.length === 0 && !mayReact) return null;
  return (
    <Part
      name="reactions"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !isOpen) return;
        event.stopPropagation();
        close();
      }}
      {...part}
    >
      {reactions.map((reaction) => (
        <Button
          key={reaction.icon}
          name="reaction"
          aria-pressed={mine.has(reaction.icon)}
          aria-label={strings.reactedBy(
            reaction.icon,
            idsOf(reaction)
              .map((id) => names.get(id) ?? id)
              .join(", "),
          )}
          disabled={!mayReact}
          onClick={() => toggle(reaction.icon)}
        >
          {reaction.icon} {reaction.fromUsers.length}
        </Button>
      ))}
      {mayReact && (
        <Button
          name="tool"
          elementRef={add}
          aria-label={strings.react}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon path="M21 12a9 9 0 1 1-9-9m6 0v6m-3-3h6M9 10v.5m6-.5v.5m-7 4a4.5 4.5 0 0 0 8 0" />
        </Button>
      )}
      {isOpen && (
        <Part as="span" name="quick" role="group" aria-label={strings.react}>
          {quick.map((icon) => (
            <Button
              key={icon}
              name="tool"
              aria-pressed={mine.has(icon)}
              onClick={() => {
                toggle(icon);
                close();
              }}
            >
              {icon}
            </Button>
          ))}
        </Part>
      )}
    </Part>
  );
}
