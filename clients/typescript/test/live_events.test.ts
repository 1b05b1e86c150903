import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { LiveEvents } from "roundtable/live";

import { Fake, FakeSocket, settled } from "./fake.js";

const DOCUMENT = { organizationId: "acme", documentId: "welcome" };

beforeEach(() => {
  FakeSocket.all = [];
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] });
});
afterEach(() => mock.timers.reset());

async function accept(): Promise<FakeSocket> {
  mock.timers.tick(500);
  await settled();
  return FakeSocket.last.accept();
}

const live = (): LiveEvents => new LiveEvents({ url: "ws://127.0.0.1:3000/live", token: "t", WebSocket: Fake });
const frames = (fake: FakeSocket): object[] => fake.sent.map((it) => JSON.parse(it) as object);
const subscribed = (position: number, isComplete = true): object => ({
  type: "subscribed", ...DOCUMENT, position, presence: [], liveState: [], isComplete,
});
const event = (position: number): object => ({ type: "event", ...DOCUMENT, position, name: "comment.add", ids: {} });

test("documents and notifications are followed once connected, and again after a break", async () => {
  const events = live();
  const session = { ...DOCUMENT, token: "t" };
  events.document(session).setPresence("online", { at: 1 });
  events.me("acme");
  const wanted = [
    { type: "subscribe", ...DOCUMENT },
    { type: "presence", ...DOCUMENT, status: "online", data: { at: 1 } },
    { type: "subscribe", me: true, organizationId: "acme" },
  ];
  const first = await accept();
  assert.deepEqual(frames(first), wanted);
  first.close(1006);
  assert.deepEqual(frames(await accept()), wanted);
});

test("after a break it goes on before the last event, and tells each event once", async () => {
  const document = live().document(DOCUMENT);
  const told: number[] = [];
  document.on("event", ({ position }) => told.push(position));
  const first = await accept();
  first.frame(subscribed(100));
  for (const position of [101, 103, 102, 103]) first.frame(event(position));
  first.close(1006);
  const second = await accept();
  assert.deepEqual(frames(second), [{ type: "subscribe", ...DOCUMENT, since: 100 }]);
  for (const position of [101, 102, 103, 104]) second.frame(event(position));
  assert.deepEqual(told, [101, 103, 102, 104]);
});

test("a long way in, it goes on 32 events before the last", async () => {
  live().document(DOCUMENT, 7);
  const first = await accept();
  assert.deepEqual(frames(first), [{ type: "subscribe", ...DOCUMENT, since: 7 }]);
  first.frame(subscribed(7));
  for (let position = 8; position <= 60; position++) first.frame(event(position));
  first.close(1006);
  assert.deepEqual(frames(await accept()), [{ type: "subscribe", ...DOCUMENT, since: 28 }]);
});

test("what cannot all be told has to be read again", async () => {
  const document = live().document(DOCUMENT);
  let resets = 0;
  document.on("reset", () => resets++);
  const first = await accept();
  first.frame(subscribed(5, false));
  first.close(1006);
  (await accept()).frame(subscribed(500, false));
  assert.equal(resets, 1);
});

test("live state that was overtaken is not told", async () => {
  const document = live().document(DOCUMENT);
  const told: unknown[] = [];
  document.on("liveState", ({ data }) => told.push(data));
  const fake = await accept();
  for (const [revision, data] of [[1, "a"], [3, "c"], [2, "b"]]) {
    fake.frame({ type: "liveState", ...DOCUMENT, liveStateDataId: "slide", data, revision });
  }
  assert.deepEqual(told, ["a", "c"]);
  assert.deepEqual(document.liveState, [{ liveStateDataId: "slide", data: "c", revision: 3 }]);
});

test("presence is everybody who is there", async () => {
  const document = live().document(DOCUMENT);
  const fake = await accept();
  fake.frame({ type: "presence", ...DOCUMENT, users: [{ userId: "ada" }, { userId: "bob" }], left: [] });
  fake.frame({ type: "presence", ...DOCUMENT, users: [], left: ["ada"] });
  assert.deepEqual(document.users, [{ userId: "bob" }]);
});

test("a refusal is told and is the end", async () => {
  const events = live();
  const told: unknown[] = [];
  events.on("closed", (why) => told.push(why));
  (await accept()).frame({ type: "close", code: 4401, reason: "expired" });
  mock.timers.tick(60_000);
  await settled();
  assert.deepEqual([told, events.status, FakeSocket.all.length], [[{ code: 4401, reason: "expired" }], "disconnected", 1]);
});
