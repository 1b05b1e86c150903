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
  desk.unread.took(2);
  assert.deepEqual(desk.shown, counted(3, 0, true));
  desk.unread.took(9);
  assert.deepEqual(desk.shown, counted(0, 0, true));
  desk.unread.tookAll();
  assert.deepEqual(desk.shown, counted(0));
  desk.unread.tell(counted(1));
  assert.deepEqual(desk.shown, counted(1));
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
