import type { ReactNode } from "react";

import { h, useEffect, useRef } from "../react/react.js";
import { useThread } from "../react/threads.js";
import { Composer, type ComposerProps } from "./composer.js";
import { Part, useStrings } from "./part.js";
import { type Anchor, type Placement, follow } from "./placement.js";
import { Thread, type ThreadProps } from "./thread.js";

/** What stands beside something. */
interface FloatingProps {
  /** Beside what it is; nothing is shown without it. */
  anchor: Anchor | undefined;
  placement?: Placement | undefined;
  /** It is to be closed: by Escape, or because the comment is sent. */
  onClose: () => void;
}

/** What {@link FloatingComposer} is given. */
export interface FloatingComposerProps extends ComposerProps, FloatingProps {}

/** A field for a comment beside what it is about. It takes the focus, and gives it back. */
export function FloatingComposer(props: FloatingComposerProps): ReactNode {
  const { anchor, placement, onClose, onSent, className, ...composer } = props;
  const label = useStrings().newComment;
  const sent = (id: string): void => {
    onClose();
    onSent?.(id);
  };
  return (
    anchor && (
      <Dialog {...{ label, anchor, placement, onClose, className }}>
        <Composer {...composer} onCancel={onClose} onSent={sent} />
      </Dialog>
    )
  );
}

/** What {@link FloatingThread} is given. */
export interface FloatingThreadProps extends Omit<ThreadProps, "thread">, FloatingProps {
  threadId: string;
}

/** A thread of the room beside what it is about. It takes the focus, and gives it back. */
export function FloatingThread(props: FloatingThreadProps): ReactNode {
  const { anchor, placement, onClose, threadId, className, ...part } = props;
  const label = useStrings().threads;
  const thread = useThread(threadId);
  return (
    anchor &&
    thread && (
      <Dialog {...{ label, anchor, placement, onClose, className }}>
        <Thread thread={thread} {...part} />
      </Dialog>
    )
  );
}

interface DialogProps extends FloatingProps {
  anchor: Anchor;
  label: string;
  className: string | undefined;
  children: ReactNode;
}

function Dialog({ label, anchor, placement, onClose, className, children }: DialogProps): ReactNode {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const element = root.current as HTMLDivElement;
    // Above everything else, where browsers can.
    element.setAttribute("popover", "manual");
    element.showPopover?.();
    // A thread without a field is focused itself.
    const field = element.querySelector<HTMLElement>("[role=textbox]");
    (field ?? element.querySelector<HTMLElement>("[tabindex]"))?.focus();
    return () => {
      const isLeft = document.activeElement !== document.body && !element.contains(document.activeElement);
      if (!isLeft) (before as HTMLElement | null)?.focus();
    };
  }, []);
  useEffect(() => (root.current ? follow(root.current, anchor, placement) : undefined), [anchor, placement]);
  return (
    <Part
      name="floating"
      elementRef={root}
      role="dialog"
      aria-label={label}
      className={className}
      onKeyDown={({ key }) => key === "Escape" && onClose()}
    >
      {children}
    </Part>
  );
}
