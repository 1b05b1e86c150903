import type { Thread } from "../store/draft.js";

/** Where a thread is. */
interface Place {
  threadId: string;
  from: number;
  to: number;
}

type Threads = ReadonlyMap<string, Thread>;

function isOpen(thread: Thread | undefined): boolean {
  return thread !== undefined && thread.status.type !== "terminal";
}

/** The open thread at a position: of several the shortest one, which lies in the others. */
export function threadAt(places: readonly Place[], position: number, threads: Threads): string | undefined {
  return places
    .filter(({ threadId, from, to }) => from <= position && position <= to && isOpen(threads.get(threadId)))
    .sort((a, b) => a.to - a.from - (b.to - b.from))[0]?.threadId;
}

/** What threads are like, on each of their places. One that is gone, or hidden from this reader, leaves plain text. */
export function decorated<Made>(
  { ranges, selected }: { ranges: readonly Place[]; selected: string | undefined },
  threads: Threads,
  make: (from: number, to: number, attributes: { class: string; "data-thread-id": string }) => Made,
): Made[] {
  return ranges.flatMap(({ threadId, from, to }) => {
    const thread = threads.get(threadId);
    if (!thread) return [];
    const states = [isOpen(thread) ? "open" : "resolved"];
    if (thread.isPending) states.push("pending");
    if (threadId === selected) states.push("selected");
    return [make(from, to, { class: states.map((it) => `rt-comment--${it}`).join(" "), "data-thread-id": threadId })];
  });
}
