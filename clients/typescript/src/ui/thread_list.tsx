import type { ReactNode } from "react";

import { useRoundtable } from "../react/context.js";
import { Fragment, h, memo, useEffect, useMemo, useState } from "../react/react.js";
import { useThreads } from "../react/threads.js";
import type { Thread as ThreadData } from "../store/draft.js";
import { useArrival } from "./arrivals.js";
import { Failures } from "./failures.js";
import { Announcer, Part, type PartProps, useStrings } from "./part.js";
import { Button, ListState } from "./states.js";
import { Thread } from "./thread.js";

/** Which threads a list shows. */
export type ThreadListFilter = "open" | "resolved" | "all";

/** Their order: by creation, or by the last change. */
export type ThreadListSort = "newest" | "oldest" | "activity";

/** What {@link ThreadList} is given. */
export interface ThreadListProps extends PartProps {
  /** Which threads are shown; when absent, buttons choose. */
  filter?: ThreadListFilter;
  /** `newest` when absent. */
  sort?: ThreadListSort;
  /** Only those whose `location` has this id. */
  locationId?: string | number;
  /** The thread that the page shows. */
  selected?: string | undefined;
  onSelect?: (threadId: string) => void;
  /** Shows a thread; a {@link Thread} when absent. */
  renderThread?: (thread: ThreadData) => ReactNode;
}

const FILTERS = ["open", "resolved", "all"] as const;

/** Threads that did not change are not rendered again. */
const KeptThread = /* @__PURE__ */ memo(Thread);

/** The threads of the room. */
export function ThreadList(props: ThreadListProps): ReactNode {
  const { filter, sort = "newest", locationId, selected, onSelect, renderThread, ...part } = props;
  const strings = useStrings();
  const { users, options } = useRoundtable();
  const [own, setOwn] = useState<ThreadListFilter>("open");
  const which = filter ?? own;
  const { threads, isLoading, error, hasMore, fetchMore } = useThreads({
    order: sort === "oldest" ? "asc" : "desc",
    resolved: which === "all" ? undefined : which === "resolved",
    locationId,
  });
  const shown = useMemo(
    () => (sort === "activity" ? [...threads].sort((a, b) => activity(b) - activity(a)) : threads),
    [threads, sort],
  );
  const all = useThreads().threads;
  const isLeftOut = (it: ThreadData): boolean => it.annotationId === selected && !threads.includes(it);
  useEffect(() => {
    // A notification of a resolved thread was opened, for example.
    if (all.some(isLeftOut)) setOwn("all");
  }, [selected]);
  const comments = all.flatMap((it) => it.comments);
  const arrival = useArrival(
    comments,
    isLoading,
    (it) => String(it.context?.["clientKey"] ?? it.commentId),
    ({ from }) => (from.userId === options.userId ? undefined : strings.commentArrived(users.of(from.userId).name)),
  );
  return (
    <Part as="section" name="threads" aria-label={strings.threads} aria-busy={isLoading} {...part}>
      {filter === undefined && (
        <Part name="filters" role="group" aria-label={strings.threads}>
          {FILTERS.map((it) => (
            <Button key={it} name="filter" aria-pressed={it === which} onClick={() => setOwn(it)}>
              {strings[it]}
            </Button>
          ))}
        </Part>
      )}
      <Failures />
      <ListState isLoading={isLoading} error={error} isEmpty={shown.length === 0} empty={strings.noThreads} />
      {shown.map((thread) =>
        renderThread ? (
          <Fragment key={thread.annotationId}>{renderThread(thread)}</Fragment>
        ) : (
          <KeptThread
            key={thread.annotationId}
            thread={thread}
            isSelected={thread.annotationId === selected}
            onSelect={onSelect}
          />
        ),
      )}
      {hasMore && <Button onClick={() => void fetchMore()}>{strings.loadMore}</Button>}
      <Announcer>{arrival}</Announcer>
    </Part>
  );
}

function activity({ comments, lastUpdated }: ThreadData): number {
  return Math.max(lastUpdated, ...comments.map(({ createdAt }) => createdAt));
}
