import type { ReactNode } from "react";

import { h, useEffect, useRef } from "../react/react.js";
import { Composer, type ComposerProps } from "./composer.js";
import { Part, useStrings } from "./part.js";
import { type Anchor, type Placement, follow } from "./placement.js";

/** What {@link FloatingComposer} is given. */
export interface FloatingComposerProps extends ComposerProps {
  /** Beside what it is; nothing is shown without it. */
  anchor: Anchor | undefined;
  placement?: Placement;
  /** It is to be closed: by Escape, or because the comment is sent. */
  onClose: () => void;
}

/** A field for a comment beside what it is about. It takes the focus, and gives it back. */
export function FloatingComposer({ anchor, ...props }: FloatingComposerProps): ReactNode {
  return anchor && <Floating anchor={anchor} {...props} />;
}

function Floating({
  anchor,
  placement,
  onClose,
  onSent,
  className,
  ...composer
}: FloatingComposerProps & { anchor: Anchor }): ReactNode {
  const strings = useStrings();
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const element = root.current;
    // Above everything else, where browsers can.
    element?.setAttribute("popover", "manual");
    element?.showPopover?.();
    element?.querySelector<HTMLElement>("[role=textbox]")?.focus();
    return () => {
      const isLeft = document.activeElement !== document.body && !element?.contains(document.activeElement);
      if (!isLeft && before?.isConnected) (before as HTMLElement).focus();
    };
  }, []);
  useEffect(() => (root.current ? follow(root.current, anchor, placement) : undefined), [anchor, placement]);
  return (
    <Part
      name="floating"
      elementRef={root}
      role="dialog"
      aria-label={strings.newComment}
      className={className}
      onKeyDown={({ key }) => key === "Escape" && onClose()}
    >
      <Composer
        {...composer}
        onCancel={onClose}
        onSent={(id) => {
          onClose();
          onSent?.(id);
        }}
      />
    </Part>
  );
}
