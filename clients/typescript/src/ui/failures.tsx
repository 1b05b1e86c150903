import type { ReactNode } from "react";

import { useRoom } from "../react/context.js";
import { useSync } from "../react/sync.js";
import { Part, type PartProps, useStrings } from "./part.js";
import { Button } from "./states.js";
import { Text } from "./markdown.js";

/** What {@link Failures} is given. */
export interface FailuresProps extends PartProps {
  /** Changes of this thread; new threads that were refused when absent. */
  threadId?: string | undefined;
}

/** Changes of the room that the service refused: why, and buttons that send them again or forget them. */
export function Failures({ threadId, ...part }: FailuresProps): ReactNode {
  const { documentId } = useRoom().address;
  const { failed, retry, discard } = useSync();
  const strings = useStrings();
  const shown = failed.filter(({ change }) => {
    const isNew = change.kind === "thread.add";
    return change.documentId === documentId && (threadId === undefined ? isNew : change.subject === threadId && !isNew);
  });
  return shown.map((failure) => (
    <Part key={failure.change.key} name="failure" role="alert" {...part}>
      {"comment" in failure.change && (
        <Part name="comment-body">
          <Text text={failure.change.comment.text} />
        </Part>
      )}
      <p>
        {strings.refused} {failure.error.message}
      </p>
      <Button onClick={() => retry(failure)}>{strings.sendAgain}</Button>
      <Button onClick={() => discard(failure)}>{strings.discard}</Button>
    </Part>
  ));
}
