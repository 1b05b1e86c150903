import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { type LiveDocument, LiveEvents } from "roundtable/live";

import { FRAMES, Fake, FakeSocket, settled } from "./fake.js";

const DOCUMENT = { organizationId: "acme", documentId: "welcome" };

beforeEach(() => {
  FakeSocket.all = [];
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] });
});
afterEach(() => mock.timers.reset());

async function accept(): Promise<FakeSocket> {
  mock.timers.tick(30_000);
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
  events.document(session);
  events.me("acme");
  const wanted = [{ type: "subscribe", threads: true, ...DOCUMENT }, { type: "subscribe", me: true, organizationId: "acme" }];
  const first = await accept();
  assert.deepEqual(frames(first), wanted);
  first.close(1006);
  assert.deepEqual(frames(await accept()), wanted);
});

test("who is told of notifications knows from when on, after each connection", async () => {
  const events = live();
  events.me("acme");
  const told: string[] = [];
  events.on("following", (organizationId) => told.push(organizationId));
  for (let connection = 1; connection <= 2; connection++) {
    const fake = await accept();
    assert.equal(told.length, connection - 1);
    fake.frame({ type: "subscribed", me: true, organizationId: "acme" });
    fake.close(1006);
    assert.equal(told.length, connection);
  }
});

test("presence is said once the document is followed, and again after a break", async () => {
  const events = live();
  const document = events.document(DOCUMENT);
  const wanted = { type: "presence", ...DOCUMENT, status: "away" };
  for (let connection = 0; connection < 2; connection++) {
    const fake = await accept();
    if (connection === 0) document.setPresence("away");
    assert.equal(fake.sent.length, 1);
    fake.frame(subscribed(1));
    assert.deepEqual(frames(fake)[1], wanted);
    fake.close(1006);
  }
});

test("each event is told once, and after a break the last position is said", async () => {
  const document = live().document(DOCUMENT);
  const told: number[] = [];
  document.on("event", ({ position }) => told.push(position));
  const first = await accept();
  first.frame(subscribed(100));
  for (const position of [101, 103, 102, 103]) first.frame(event(position));
  assert.deepEqual(told, [101, 103, 102]);
  first.close(1006);
  assert.deepEqual(frames(await accept()), [{ type: "subscribe", threads: true, ...DOCUMENT, since: 103 }]);
});

test("a break before all missed events came does not lose the rest", async () => {
  const document = live().document(DOCUMENT);
  const told: number[] = [];
  document.on("event", ({ position }) => told.push(position));
  const first = await accept();
  first.frame(subscribed(100));
  first.close(1006);
  const second = await accept();
  // A missed one, and one that happens just now.
  for (const position of [101, 109]) second.frame(event(position));
  second.close(1006);
  const third = await accept();
  assert.deepEqual(frames(third), [{ type: "subscribe", threads: true, ...DOCUMENT, since: 100 }]);
  for (const position of [101, 102, 109]) third.frame(event(position));
  third.frame(subscribed(109));
  assert.deepEqual(told, [101, 109, 102]);
  third.close(1006);
  assert.deepEqual(frames(await accept()), [{ type: "subscribe", threads: true, ...DOCUMENT, since: 109 }]);
});

test("a lost document is told and no longer followed", async () => {
  const events = live();
  const document = events.document(DOCUMENT);
  const told: unknown[] = [];
  document.on("ended", ({ code }) => told.push(code));
  const first = await accept();
  first.frame({ type: "unsubscribed", ...DOCUMENT, code: "NOT_FOUND", message: "There is no document." });
  assert.deepEqual(told, ["NOT_FOUND"]);
  first.close(1006);
  assert.deepEqual(frames(await accept()), []);
});

/** A document that is followed, and the frames that its connection sends from then on. */
async function followed(): Promise<{
  events: LiveEvents;
  document: LiveDocument;
  fake: FakeSocket;
  said: () => string[];
}> {
  const events = live();
  const document = events.document(DOCUMENT);
  const fake = await accept();
  fake.frame(subscribed(1));
  const before = fake.sent.length;
  const types = (): string[] => fake.sent.slice(before).map((it) => (JSON.parse(it) as { type: string }).type);
  const said = (): string[] => types().filter((type) => type !== "ping");
  return { events, document, fake, said };
}

test("a document that is left and followed again at once is never ended at the service", async () => {
  const { events, document, fake, said } = await followed();
  document.unsubscribe();
  const again = events.document(DOCUMENT);
  let told = 0;
  again.on("event", () => told++);
  fake.frame(subscribed(1));
  fake.frame(event(2));
  mock.timers.tick(20_000);
  assert.deepEqual([said(), told], [["subscribe"], 1]);
});

test("a document that is left is ended at the service after a second, with subscribe answered", async () => {
  const { events, document, said } = await followed();
  document.unsubscribe();
  mock.timers.tick(999);
  assert.deepEqual(said(), []);
  mock.timers.tick(1);
  assert.deepEqual(said(), ["unsubscribe"]);
  // Nothing says whether that is handled before the next frame or after it.
  events.document(DOCUMENT);
  assert.deepEqual(said(), ["unsubscribe", "subscribe"]);
  mock.timers.tick(10_000);
  assert.deepEqual(said(), ["unsubscribe", "subscribe", "subscribe"]);
});

test("a document that is left before subscribe is answered is ended after the answer, or followed by it", async () => {
  for (const isWanted of [false, true]) {
    const events = live();
    const first = events.document(DOCUMENT);
    const fake = await accept();
    first.unsubscribe();
    mock.timers.tick(2_000);
    assert.equal(fake.sent.length, 1);
    let positions = 0;
    if (isWanted) events.document(DOCUMENT).on("subscribed", () => positions++);
    fake.frame(subscribed(1));
    const types = frames(fake).map((it) => (it as { type: string }).type);
    assert.deepEqual([types, positions], isWanted ? [["subscribe"], 1] : [["subscribe", "unsubscribe"], 0]);
    events.disconnect();
  }
});

test("a document that is left while nothing is connected is not ended on the next connection", async () => {
  const { document, fake } = await followed();
  fake.close(1006);
  document.unsubscribe();
  const second = await accept();
  mock.timers.tick(20_000);
  assert.deepEqual(frames(second), []);
});

test("what did not fit, or happened during a break, has to be read again", async () => {
  const document = live().document(DOCUMENT);
  let resets = 0;
  document.on("reset", () => resets++);
  const first = await accept();
  first.frame(subscribed(5, false));
  first.close(1006);
  (await accept()).frame(subscribed(500, false));
  assert.equal(resets, 2);
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

test("presence that is told before the list of all is kept, and what is told of before a break is not", async () => {
  const document = live().document(DOCUMENT);
  const names = (): string[] => document.users.map(({ userId }) => userId).sort();
  const first = await accept();
  first.frame({ type: "presence", ...DOCUMENT, users: [{ userId: "bob" }], left: ["cy"] });
  first.frame({ ...subscribed(1), presence: [{ userId: "ada" }, { userId: "cy" }] });
  assert.deepEqual(names(), ["ada", "bob"]);
  first.close(1006);
  (await accept()).frame(subscribed(1));
  assert.deepEqual(names(), []);
});

test("the list of all may come in parts, and is older than what is told before it", async () => {
  const document = live().document(DOCUMENT);
  const fake = await accept();
  const part = (users: object[]): object => ({ type: "presence", ...DOCUMENT, users, left: [], isSnapshot: true });
  fake.frame({ type: "presence", ...DOCUMENT, users: [], left: ["cy"] });
  fake.frame(part([{ userId: "ada" }, { userId: "cy" }]));
  fake.frame(part([{ userId: "bob" }]));
  assert.deepEqual(document.users, []);
  fake.frame(subscribed(1));
  assert.deepEqual(document.users.map(({ userId }) => userId), ["ada", "bob"]);
});

test("presence is everybody who is there", async () => {
  const document = live().document(DOCUMENT);
  const fake = await accept();
  fake.frame({ type: "presence", ...DOCUMENT, users: [{ userId: "ada" }, { userId: "bob" }], left: [] });
  fake.frame({ type: "presence", ...DOCUMENT, users: [], left: ["ada"] });
  assert.deepEqual(document.users, [{ userId: "bob" }]);
});

test("to connect what is connected changes nothing", async () => {
  const events = live();
  const told: string[] = [];
  events.on("status", (status) => told.push(status));
  events.connect();
  await accept();
  events.connect();
  assert.deepEqual([events.status, told, FakeSocket.all.length], ["connected", ["connected"], 1]);
});

test("a refusal is told and is the end", async () => {
  const events = live();
  const told: unknown[] = [];
  events.on("closed", (why) => told.push(why));
  const fake = await accept();
  fake.text(FRAMES.pong);
  fake.text(FRAMES.close);
  mock.timers.tick(60_000);
  await settled();
  const why = { code: 4401, reason: "The token is none, or has expired." };
  assert.deepEqual([told, events.status, FakeSocket.all.length], [[why], "disconnected", 1]);
});

test("the token is offered beside the subprotocol, and is in no URL", async () => {
  live();
  const { url, protocols } = await accept();
  assert.deepEqual([url, protocols], ["ws://127.0.0.1:3000/live?protocol=events", ["roundtable", "t"]]);
});

test("what cannot be a token is not sent, and got anew once", async () => {
  for (const none of ["", "<!doctype html>"]) {
    const asked: string[] = [];
    const token = (): string => (asked.push(none), none);
    const events = new LiveEvents({ url: "ws://127.0.0.1:3000/live", token, WebSocket: Fake });
    const told: unknown[] = [];
    events.on("closed", ({ code }) => told.push(code));
    mock.timers.tick(60_000);
    await settled();
    mock.timers.tick(60_000);
    await settled();
    assert.deepEqual([told, asked.length, FakeSocket.all.length], [[4401], 2, 0]);
  }
});

test("a document that may not be followed ends, also when it is the only one", async () => {
  for (const [frame, code] of [["unsubscribed", "NOT_FOUND"], ["error", "NOT_FOUND"]] as const) {
    const events = live();
    const { organizationId, documentId } = JSON.parse(FRAMES[frame]) as typeof DOCUMENT;
    const document = events.document({ organizationId, documentId });
    const told: unknown[] = [];
    document.on("ended", (why) => told.push(why.code));
    const fake = await accept();
    fake.text(FRAMES[frame]);
    assert.deepEqual([told, events.status], [[code], "connected"]);
    fake.close(1006);
    assert.deepEqual(frames(await accept()), []);
    events.disconnect();
  }
});

test("notifications that may not be followed end", async () => {
  const events = live();
  events.me("acme");
  const told: unknown[] = [];
  events.on("ended", (why) => told.push([why.organizationId, why.code]));
  const fake = await accept();
  fake.text(FRAMES.subscribedMe);
  fake.text(FRAMES.unsubscribedMe);
  assert.deepEqual(told, [["acme", "PERMISSION_DENIED"]]);
  fake.close(1006);
  assert.deepEqual(frames(await accept()), []);
});

test("frames of the service are told as they are", async () => {
  const { organizationId, documentId } = JSON.parse(FRAMES.subscribed) as typeof DOCUMENT;
  const document = live().document({ organizationId, documentId });
  const told: unknown[] = [];
  document.on("event", ({ name, ids }) => told.push([name, ids["annotationId"]]));
  document.on("presence", (users) => told.push(users.map(({ userId, status }) => [userId, status])));
  document.on("liveState", ({ liveStateDataId, data }) => told.push([liveStateDataId, data]));
  const fake = await accept();
  for (const frame of [FRAMES.subscribed, FRAMES.presence, FRAMES.liveState, FRAMES.event]) fake.text(frame);
  assert.deepEqual(told, [
    [],
    [["ada", "away"]],
    ["liveState", { canvas: "xxx" }],
    ["comment_annotation.add", "t"],
  ]);
});

test("live state that is too large for a frame is read over REST", async (context) => {
  const asked: unknown[] = [];
  const value = { liveStateDataId: "liveStateLarge", data: { canvas: "large" }, revision: 1 };
  context.mock.method(globalThis, "fetch", async (url: string, init: RequestInit) => {
    asked.push([url, (init.headers as Record<string, string>)["authorization"], JSON.parse(init.body as string)]);
    return new Response(JSON.stringify({ result: { data: [value] } }));
  });
  const { organizationId, documentId } = JSON.parse(FRAMES.liveStateLarge) as typeof DOCUMENT;
  const document = live().document({ organizationId, documentId });
  (await accept()).text(FRAMES.liveStateLarge);
  for (let turn = 0; turn < 10; turn++) await settled();
  assert.deepEqual(document.liveState, [value]);
  const data = { organizationId, documentId, liveStateDataId: "liveStateLarge" };
  assert.deepEqual(asked, [["http://127.0.0.1:3000/v2/livestate/get", "Bearer t", { data }]]);
});

test("what the user reads on another page is told", async () => {
  const events = live();
  events.me("acme");
  events.document(DOCUMENT);
  const fake = await accept();
  const told: unknown[] = [];
  events.on("read", (it) => told.push([it.type, it.notificationIds ?? it.all, it.count.unread]));
  events.on("seen", (it) => told.push([it.type, it.documentId, it.annotationId, it.seenAt]));
  events.on("notification", (it) => told.push([it.notificationId, it.count.unread]));
  const count = (unread: number): object => ({ unread, unseen: 0, hasMore: false });
  const frame = (type: string, members: object): void => fake.frame({ type, organizationId: "acme", ...members });
  frame("notification", { notificationId: "n", count: count(3) });
  frame("notificationsRead", { notificationIds: ["n"], count: count(2) });
  frame("notificationsDeleted", { notificationIds: ["m"], count: count(1) });
  frame("notificationsRead", { all: true, count: count(0) });
  frame("seen", { documentId: "welcome", annotationId: "t", seenAt: 7 });
  assert.deepEqual(told, [
    ["n", 3],
    ["notificationsRead", ["n"], 2],
    ["notificationsDeleted", ["m"], 1],
    ["notificationsRead", true, 0],
    ["seen", "welcome", "t", 7],
  ]);
});

test("a broadcast is said while the document is followed, and heard by each view", async () => {
  const events = live();
  const [one, other] = [events.document(DOCUMENT), events.document(DOCUMENT)];
  const heard: unknown[] = [];
  for (const view of [one, other]) view.on("broadcast", ({ userId, data }) => heard.push([userId, data]));
  const fake = await accept();
  one.broadcast({ typing: true });
  fake.frame(subscribed(1));
  one.broadcast({ typing: false });
  assert.deepEqual(frames(fake).slice(1), [{ type: "broadcast", ...DOCUMENT, data: { typing: false } }]);
  fake.frame({ type: "broadcast", ...DOCUMENT, userId: "bob", data: 1 });
  assert.deepEqual(heard, [["bob", 1], ["bob", 1]]);
});
