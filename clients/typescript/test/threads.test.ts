import assert from "node:assert/strict";
import { test } from "node:test";

import { Threads } from "../dist/store/threads.js";
import type { Change } from "../dist/store/change.js";
import type { CommentAnnotation } from "../dist/generated/types.js";

/** A thread of some time with comments by these users, in their order. */
function thread(lastUpdated: number, authors: string, members: object = {}): CommentAnnotation {
  const comments = [...authors].map((userId, at) => ({ commentId: at + 1, from: { userId } }));
  return { annotationId: "t", lastUpdated, comments, ...members } as unknown as CommentAnnotation;
}

/** Threads of Ada, and how often they are read. */
async function adas(stored: CommentAnnotation) {
  const reads = { count: 0, stored };
  const threads = new Threads(() => ({ userId: "a" }), {
    firstPages: 1,
    page: async () => ({ threads: [reads.stored], next: undefined }),
    named: async () => {
      reads.count++;
      return [reads.stored];
    },
    learn: () => {},
  });
  threads.begin();
  await threads.refresh();
  const shown = () => {
    const it = threads.state.get().threads.get("t");
    return [it?.comments.length, it?.unread, it?.seenAt];
  };
  return { threads, reads, shown };
}

test("a thread that comes with its event is shown without a read, and unread by who wrote last", async () => {
  const { threads, reads, shown } = await adas(thread(1, "ab", { unread: false, seenAt: 5 }));
  for (const [told, unread] of [
    [thread(2, "abb"), true],
    [thread(3, "abba"), false],
    [thread(4, "abba", { status: { id: "RESOLVED" } }), false],
  ] as const) {
    assert.equal(threads.tell(told), undefined);
    assert.deepEqual(shown(), [told.comments.length, unread, 5]);
  }
  assert.equal(reads.count, 0);
});

test("a thread is read where its event does not say all", async () => {
  const { threads, reads, shown } = await adas(thread(2, "ab", { unread: true }));
  for (const [told, why] of [
    [thread(3, "a"), "whether Ada has seen it"],
    [thread(3, ""), "the same"],
    [thread(2, "abb"), "which one is newer"],
  ] as const) {
    const before = reads.count;
    await threads.tell(told);
    assert.deepEqual([reads.count - before, shown()], [1, [2, true, undefined]], why);
  }
  const change = { kind: "thread.status", status: { id: "OPEN" }, key: "k", documentId: "d", subject: "t", at: 1 };
  threads.apply(change as Change);
  await threads.tell(thread(3, "abb"));
  assert.equal(reads.count, 4, "an own change is on its way");
  reads.stored = thread(4, "abbb", { unread: true });
  threads.confirm(change as Change);
  await threads.tell(thread(3, "abb"));
  assert.deepEqual(shown(), [4, true, undefined], "a read has begun");
});
