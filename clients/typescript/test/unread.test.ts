import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { NetworkError } from "roundtable";

import { Unread, type UnreadCount } from "../dist/store/unread.js";
import { settled } from "./fake.js";

beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
afterEach(() => mock.timers.reset());

const counted = (unread: number, unseen = unread, hasMore = false): UnreadCount => ({ unread, unseen, hasMore });

/** A count whose reads the test answers. */
class Desk {
  readonly answers: { resolve(count: UnreadCount): void; reject(error: Error): void }[] = [];
  readonly unread = new Unread({
    read: () => new Promise((resolve, reject) => this.answers.push({ resolve, reject })),
    follow: () => () => {},
  });

  get shown(): UnreadCount {
    const { unread, unseen, hasMore } = this.unread.state.get();
    return { unread, unseen, hasMore };
  }
}

test("a count is read with the first use, and told from then on", async () => {
  const desk = new Desk();
  assert.equal(desk.unread.state.get().isLoading, true);
  desk.unread.enter();
  desk.answers[0]?.resolve(counted(3, 2));
  await settled();
  assert.deepEqual([desk.shown, desk.unread.state.get().isLoading], [counted(3, 2), false]);
  desk.unread.tell(counted(4, 3));
  assert.deepEqual(desk.shown, counted(4, 3));
});

test("what was read before something was told is older", async () => {
  const desk = new Desk();
  desk.unread.enter();
  desk.unread.tell(counted(5));
  desk.answers[0]?.resolve(counted(4));
  await settled();
  assert.deepEqual(desk.shown, counted(5));
});

test("what the user reads counts at once, and what the service says then counts", () => {
  const desk = new Desk();
  desk.unread.tell(counted(5, 3, true));
  desk.unread.saw();
  assert.deepEqual(desk.shown, counted(5, 0, true));
  desk.unread.take(["n1", "n2"]);
  assert.deepEqual(desk.shown, counted(3, 0, true));
  desk.unread.takeAll();
  assert.deepEqual(desk.shown, counted(0));
  desk.unread.tell(counted(1), ["n1", "n2"]);
  assert.deepEqual(desk.shown, counted(1));
});

test("what is on its way stays taken off, whatever the service says of other changes", () => {
  const desk = new Desk();
  desk.unread.tell(counted(5));
  desk.unread.take(["n1"]);
  desk.unread.take(["n2"]);
  assert.deepEqual(desk.shown, counted(3));
  // The service tells of the first one: the second one is not in its count yet.
  desk.unread.tell(counted(4), ["n1"]);
  assert.deepEqual(desk.shown, counted(3));
  // Another page reads a third one.
  desk.unread.tell(counted(3), ["n3"]);
  assert.deepEqual(desk.shown, counted(2));
  // The replies come before and after what is told.
  desk.unread.stored(["n1"]);
  desk.unread.stored(["n2"]);
  assert.deepEqual(desk.shown, counted(2));
  desk.unread.tell(counted(2), ["n2"]);
  assert.deepEqual(desk.shown, counted(2));
  desk.unread.take(["n4"]);
  desk.unread.giveBack(["n4"]);
  assert.deepEqual(desk.shown, counted(2));
});

test("what the user reads before the count is known does not stand for the count", async () => {
  const desk = new Desk();
  desk.unread.enter();
  desk.unread.take(["n1"]);
  desk.unread.saw();
  desk.unread.takeAll();
  assert.equal(desk.unread.state.get().isLoading, true);
  desk.answers[0]?.resolve(counted(4));
  await settled();
  assert.deepEqual([desk.shown, desk.unread.state.get().isLoading], [counted(3), false]);
});

test("of two reads, the later one counts, whichever ends last", async () => {
  const desk = new Desk();
  void desk.unread.refresh();
  void desk.unread.refresh();
  desk.answers[1]?.resolve(counted(2));
  await settled();
  desk.answers[0]?.resolve(counted(7));
  await settled();
  assert.deepEqual(desk.shown, counted(2));
});

test("a count that cannot be read is read again while somebody uses it", async () => {
  const desk = new Desk();
  const leave = desk.unread.enter();
  desk.answers[0]?.reject(new NetworkError("notifications.count", "the connection failed"));
  await settled();
  mock.timers.tick(5_000);
  assert.equal(desk.answers.length, 2);
  leave();
  mock.timers.tick(2_000);
  desk.answers[1]?.reject(new NetworkError("notifications.count", "the connection failed"));
  await settled();
  mock.timers.tick(60_000);
  assert.equal(desk.answers.length, 2);
});
