import type { ReactNode } from "react";

import { useRoom } from "../react/context.js";
import { h, useCallback } from "../react/react.js";
import { isShallowEqual, useReadable } from "../react/select.js";
import { useSync } from "../react/sync.js";
import type { ThreadsState } from "../store/threads.js";
import { Part, type PartProps, useStrings } from "./part.js";
import { Button, reasonOf } from "./states.js";
import { Text } from "./markdown.js";

/** What {@link Failures} is given. */
export interface FailuresProps extends PartProps {
  /** Changes of this thread; when absent, new threads that were refused, and changes of threads that are gone. */
  threadId?: string | undefined;
}

/** Changes of the room that the service refused: why, and buttons that send them again or forget them. */
export function Failures({ threadId, ...part }: FailuresProps): ReactNode {
  const { address, threads } = useRoom();
  const { documentId } = address;
  const { failed, retry, discard } = useSync();
  const strings = useStrings();
  const goneOf = useCallback(
    ({ isLoading, threads: there }: ThreadsState) =>
      isLoading ? [] : failed.map(({ change }) => change.subject).filter((id) => !there.has(id)),
    [failed],
  );
  const gone = useReadable(threads, goneOf, isShallowEqual);
  const shown = failed.filter(({ change }) => {
    const isNew = change.kind === "thread.add";
    const isHere = threadId === undefined ? isNew || gone.includes(change.subject) : change.subject === threadId && !isNew;
    return change.documentId === documentId && isHere;
  });
  return shown.map((failure) => (
    <Part key={failure.change.key} name="failure" role="alert" {...part}>
      {"comment" in failure.change && (
        <Part name="comment-body">
          <Text text={failure.change.comment.text} />
        </Part>
      )}
      <p>
        {strings.refused} {reasonOf(failure.error)}
      </p>
      <Button onClick={() => retry(failure)}>{strings.sendAgain}</Button>
      <Button onClick={() => discard(failure)}>{strings.discard}</Button>
    </Part>
  ));
}
