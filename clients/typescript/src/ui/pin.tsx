import type { CSSProperties, ReactNode } from "react";

import { useUser } from "../react/people.js";
import { Fragment, h, useRef, useState } from "../react/react.js";
import type { Thread } from "../store/draft.js";
import { FloatingThread } from "./floating.js";
import { Part, type PartProps, useStrings } from "./part.js";
import { Avatar } from "./people.js";
import { UnreadDot } from "./unread.js";

/** What {@link CommentPin} is given. */
export interface CommentPinProps extends PartProps {
  /** With the numbers `x` and `y` in its `location`, the pin is there: percent of the element around it. */
  thread: Thread;
  /** It was opened or closed; without it, the thread is shown beside the pin. */
  onOpen?: ((threadId: string) => void) | undefined;
}

/** Where something is in the element around it, from the side where lines begin. */
export function placeOf(x: unknown, y: unknown): CSSProperties | undefined {
  if (typeof x !== "number" || typeof y !== "number") return undefined;
  return { position: "absolute", insetInlineStart: within(x), top: within(y) };
}

/** What others say of their pointers makes no page larger. */
function within(percent: number): string {
  return `${Math.min(Math.max(percent, 0), 100)}%`;
}

/** Who began a thread, at its place on a page: a button that opens the thread. */
export function CommentPin({ thread, onOpen, ...part }: CommentPinProps): ReactNode {
  const strings = useStrings();
  const [isOpen, setOpen] = useState(false);
  const pin = useRef<HTMLButtonElement>(null);
  const { annotationId: id, from, location, status } = thread;
  const { name } = useUser(from.userId);
  const button = { type: "button", elementRef: pin };
  return (
    <>
      <Part
        as="button"
        name="pin"
        aria-label={strings.threadBy(name)}
        aria-expanded={onOpen ? undefined : isOpen}
        data-resolved={status.type === "terminal" || undefined}
        style={placeOf(location?.["x"], location?.["y"])}
        onClick={() => (onOpen ? onOpen(id) : setOpen(!isOpen))}
        {...button}
        {...part}
      >
        <Avatar userId={from.userId} isDecorative />
        <UnreadDot threadId={id} />
      </Part>
      {isOpen && pin.current && <FloatingThread anchor={pin.current} threadId={id} onClose={() => setOpen(false)} />}
    </>
  );
}
