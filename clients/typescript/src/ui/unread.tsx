import type { ReactNode } from "react";

import { useRoundtable } from "../react/context.js";
import { h, useCallback } from "../react/react.js";
import { isShallowEqual, useReadable, useUsed } from "../react/select.js";
import type { InboxState } from "../store/inbox.js";
import { Part, type PartProps, useStrings } from "./part.js";

/** Unread notifications of a thread, of those that are read from the service. */
export function useUnread(threadId: string): readonly string[] {
  const inbox = useRoundtable().inbox();
  useUsed(inbox);
  const select = useCallback(
    ({ notifications }: InboxState) =>
      notifications.filter((it) => !it.isRead && it.targetAnnotationId === threadId).map(({ id }) => id),
    [threadId],
  );
  return useReadable(inbox.state, select, isShallowEqual);
}

/** What {@link UnreadDot} is given. */
export interface UnreadDotProps extends PartProps {
  threadId: string;
}

/** Shown while the user's inbox has an unread notification of a thread. */
export function UnreadDot({ threadId, ...part }: UnreadDotProps): ReactNode {
  const strings = useStrings();
  if (useUnread(threadId).length === 0) return null;
  return <Part as="span" name="unread" role="img" aria-label={strings.unread} title={strings.unread} {...part} />;
}
