import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { NetworkError, type Notification } from "roundtable";

import { Inbox } from "../dist/store/inbox.js";
import { Resource } from "../dist/store/resource.js";
import { settled } from "./fake.js";

beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
afterEach(() => mock.timers.reset());

/** The notifications of a user on the service. */
class Desk {
  all: Notification[] = [];
  /** What lists have, when that is older. */
  listed: Notification[] | undefined;
  isAway = false;
  asked = 0;
  made = 0;
  /** What becomes of a mark. */
  marking = Promise.resolve();
  readonly marked: string[][] = [];
  readonly removed: string[][] = [];
  readonly inbox = new Inbox({
    userId: "ada",
    page: async ({ pageSize, pageToken = "0" }) => {
      this.asked++;
      if (this.isAway) throw new NetworkError("notifications.get", "the connection failed");
      const all = this.listed ?? this.all;
      const from = all.findIndex(({ id }) => id === pageToken);
      const data = all.slice(Math.max(from, 0)).slice(0, pageSize);
      return { data, pageToken: all[Math.max(from, 0) + pageSize]?.id ?? null };
    },
    named: async (ids) => this.all.filter(({ id }) => ids.includes(id)),
    follow: () => () => {},
    markRead: (ids) => {
      this.marked.push(ids);
      return this.marking;
    },
    markAllRead: async (ids) => void this.marked.push(["all", ...ids]),
    remove: async (ids) => void this.removed.push(ids),
    markSeen: async () => {},
  });

  /** New ones come. */
  add(count: number): void {
    for (let added = 0; added < count; added++) {
      const number = ++this.made;
      this.all.unshift({ id: `n${number}`, timestamp: number, readByUserIds: [] } as unknown as Notification);
    }
  }

  get shown(): number {
    return this.inbox.state.get().notifications.length;
  }
}

test("older notifications can be read, whatever came before the first list", async () => {
  const desk = new Desk();
  desk.add(50);
  const listed = desk.inbox.refresh();
  desk.inbox.setRead(["n3"], true);
  assert.equal(desk.inbox.state.get().isLoading, true);
  await listed;
  assert.deepEqual([desk.shown, desk.inbox.state.get().hasMore], [30, true]);
  await desk.inbox.fetchMore();
  assert.deepEqual([desk.shown, desk.inbox.state.get().hasMore], [50, false]);
});

test("those that came while there was no connection can all be read", async () => {
  const desk = new Desk();
  desk.add(5);
  await desk.inbox.refresh();
  desk.add(80);
  await desk.inbox.arrived("n85");
  await desk.inbox.refresh();
  while (desk.inbox.state.get().hasMore) await desk.inbox.fetchMore();
  assert.equal(desk.shown, 85);
});

test("what another list shows can be marked as read, and what is read is not marked again", async () => {
  const desk = new Desk();
  desk.add(1);
  await desk.inbox.refresh();
  desk.inbox.setRead(["n1"], true);
  await desk.inbox.markRead(["n1", "elsewhere"]);
  await desk.inbox.markRead(["n1"]);
  assert.deepEqual(desk.marked, [["elsewhere"]]);
});

test("all are marked as read, and what is deleted is shown nowhere", async () => {
  const desk = new Desk();
  desk.add(3);
  await desk.inbox.refresh();
  desk.inbox.setRead(["n2"], true);
  await desk.inbox.markAllRead();
  assert.deepEqual(desk.marked, [["all", "n3", "n1"]]);
  await desk.inbox.remove(["n1"]);
  desk.inbox.setRemoved(["n1"], true);
  await desk.inbox.remove(["n1"]);
  assert.deepEqual([desk.removed, desk.shown], [[["n1"]], 2]);
  // An older list still has it.
  await desk.inbox.refresh();
  assert.equal(desk.shown, 2);
  desk.inbox.setRemoved(["n1"], false);
  assert.equal(desk.shown, 3);
});

test("what was deleted elsewhere while there was no connection is shown no more, and what is newer than a list is", async () => {
  const desk = new Desk();
  desk.add(40);
  await desk.inbox.refresh();
  await desk.inbox.fetchMore();
  assert.equal(desk.shown, 40);
  desk.all = desk.all.filter(({ id }) => !["n40", "n25", "n2"].includes(id));
  await desk.inbox.refresh();
  const ids = desk.inbox.state.get().notifications.map(({ id }) => id);
  assert.deepEqual([ids.includes("n40"), ids.includes("n25"), ids.length], [false, false, 38], "n2 is on no page that was read");
  // A list that is a moment old lacks what came since.
  desk.add(1);
  await desk.inbox.arrived(desk.all[0]?.id ?? "");
  desk.listed = desk.all.slice(1);
  await desk.inbox.refresh();
  assert.equal(desk.shown, 39);
});

test("failures that come together make one try, not one each", async () => {
  const desk = new Desk();
  const leave = desk.inbox.enter();
  await settled();
  desk.isAway = true;
  await Promise.all([desk.inbox.refresh(), desk.inbox.refresh(), desk.inbox.refresh()]);
  const before = desk.asked;
  for (let tries = 0; tries < 3; tries++) {
    mock.timers.tick(5_000);
    await settled();
  }
  assert.equal(desk.asked - before, 3);
  leave();
  mock.timers.tick(2_000);
  await settled();
  mock.timers.tick(60_000);
  await settled();
  assert.equal(desk.asked - before, 3);
});

test("a refused mark that nobody waits for is no unhandled rejection, and who waits is told", async () => {
  const desk = new Desk();
  desk.add(1);
  await desk.inbox.refresh();
  desk.marking = Promise.reject(new Error("no"));
  // The outbox handles what it returns.
  desk.marking.catch(() => {});
  let unhandled = 0;
  const count = (): void => void unhandled++;
  process.on("unhandledRejection", count);
  const marked = desk.inbox.markRead(["n1"]);
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", count);
  assert.equal(unhandled, 0);
  await assert.rejects(marked, /no/);
});

test("a value that is set while an older one is read stays", async () => {
  const answers: ((value: string) => void)[] = [];
  const resource = new Resource(() => new Promise<string>((resolve) => answers.push(resolve)));
  resource.enter();
  resource.set("new");
  answers[0]?.("old");
  await settled();
  assert.equal(resource.get().value, "new");
});

test("what nobody uses any more is not read again and again", async () => {
  const desk = new Desk();
  desk.isAway = true;
  let asked = 0;
  const resource = new Resource(async () => {
    asked++;
    throw new NetworkError("documents.get", "the connection failed");
  });
  const leaves = [desk.inbox.enter(), resource.enter()];
  await settled();
  mock.timers.tick(5_000);
  assert.deepEqual([desk.asked, asked], [2, 2]);
  // It fails after its end.
  for (const leave of leaves) leave();
  mock.timers.tick(2_000);
  await settled();
  mock.timers.tick(60_000);
  await settled();
  assert.deepEqual([desk.asked, asked], [2, 2]);
});
