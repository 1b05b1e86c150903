import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { LiveEvents, type LiveEventsOptions } from "roundtable/live";
import { RoundtableProvider } from "roundtable/live/provider";
import * as Y from "yjs";

import { Fake, FakeSocket, settled } from "./fake.js";

const DOCUMENT = { organizationId: "acme", documentId: "welcome" };
const OPTIONS = { url: "ws://127.0.0.1:3000/live", token: "t" };
const subscribed = {
  type: "subscribed",
  ...DOCUMENT,
  position: 4,
  presence: [{ userId: "ada" }],
  liveState: [],
  isComplete: true,
};
const event = { type: "event", ...DOCUMENT, position: 5, name: "comment.add", ids: {} };

beforeEach(() => {
  FakeSocket.all = [];
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] });
});
afterEach(() => mock.timers.reset());

const live = (options: Partial<LiveEventsOptions> = {}): LiveEvents =>
  new LiveEvents({ ...OPTIONS, WebSocket: Fake, ...options });
const types = (fake: FakeSocket): string[] => fake.sent.map((it) => (JSON.parse(it) as { type: string }).type);

async function opened(): Promise<void> {
  mock.timers.tick(30_000);
  await settled();
}

test("what the user says is said again after a break", async () => {
  const events = live();
  const view = events.document(DOCUMENT);
  await opened();
  const fake = FakeSocket.last.accept();
  view.setPresence("online", { x: 1 });
  const said = (from: FakeSocket): unknown[] =>
    from.sent.map((it) => JSON.parse(it) as { type: string }).filter(({ type }) => type === "presence");
  const one = { type: "presence", ...DOCUMENT, status: "online", data: { x: 1 } };
  assert.deepEqual(said(fake), []);
  fake.frame(subscribed);
  assert.deepEqual(said(fake), [one]);
  view.setPresence("away");
  view.setPresence("away", { x: 2 });
  const [away, two] = [{ type: "presence", ...DOCUMENT, status: "away" }, { ...one, status: "away", data: { x: 2 } }];
  assert.deepEqual(said(fake), [one, away, two]);
  fake.close(1006);
  await opened();
  const next = FakeSocket.last.accept();
  next.frame(subscribed);
  assert.deepEqual(said(next), [two]);
});

test("a view that ends does not silence others, and the last one ends the subscription", async () => {
  const events = live();
  const [one, two] = [events.document(DOCUMENT), events.document(DOCUMENT)];
  await opened();
  const fake = FakeSocket.last.accept();
  fake.frame(subscribed);
  const told: string[] = [];
  one.on("event", () => told.push("one"));
  two.on("event", () => told.push("two"));
  one.unsubscribe();
  one.unsubscribe();
  fake.frame(event);
  mock.timers.tick(5_000);
  assert.deepEqual([told, types(fake)], [["two"], ["subscribe"]]);
  two.unsubscribe();
  mock.timers.tick(1_000);
  assert.deepEqual(types(fake), ["subscribe", "unsubscribe"]);
});

test("a later view is told what the service said before", async () => {
  const events = live();
  events.document(DOCUMENT);
  await opened();
  FakeSocket.last.accept().frame(subscribed);
  const told: unknown[] = [];
  const later = events.document(DOCUMENT);
  later.on("presence", (users) => told.push(users.map(({ userId }) => userId)));
  later.on("subscribed", (position) => told.push(position));
  await settled();
  assert.deepEqual([told, FakeSocket.last.sent.length], [[["ada"], 4], 1]);
});

test("notifications are followed until the last one who wants them leaves", async () => {
  const events = live();
  const [one, two] = [events.me("acme"), events.me("acme")];
  await opened();
  const fake = FakeSocket.last.accept();
  fake.frame({ type: "subscribed", organizationId: "acme", me: true });
  one();
  one();
  mock.timers.tick(2_000);
  assert.deepEqual(types(fake), ["subscribe"]);
  two();
  events.me("acme")();
  mock.timers.tick(1_000);
  assert.deepEqual(
    types(fake).filter((it) => it !== "ping"),
    ["subscribe", "subscribe"],
  );
  fake.frame({ type: "subscribed", organizationId: "acme", me: true });
  assert.deepEqual(JSON.parse(fake.sent.at(-1) ?? ""), { type: "unsubscribe", organizationId: "acme" });
});

test("`on` answers with its end", async () => {
  const events = live({ connect: false });
  const told: string[] = [];
  const end = events.on("status", (status) => told.push(status));
  events.connect();
  end();
  events.disconnect();
  assert.deepEqual(told, ["connecting"]);
});

test("an effect that runs twice opens one connection", async () => {
  const events = live({ connect: false });
  events.connect();
  events.destroy();
  events.connect();
  events.document(DOCUMENT);
  await opened();
  assert.equal(FakeSocket.all.length, 1);
  assert.deepEqual(types(FakeSocket.last.accept()), ["subscribe"]);
});

test("what is destroyed follows nothing, and its listeners are gone", async () => {
  const events = live();
  const told: unknown[] = [];
  events.document(DOCUMENT).on("event", () => told.push("event"));
  events.me("acme");
  events.on("status", (status) => told.push(status));
  await opened();
  FakeSocket.last.accept();
  events.destroy();
  events.connect();
  await opened();
  const fake = FakeSocket.last.accept();
  fake.frame(event);
  assert.deepEqual([told, fake.sent, FakeSocket.all.length], [["connected", "disconnected"], [], 2]);
});

test("on a server, one that is made opens nothing until it follows something", async (context) => {
  const [has, had] = [globalThis as { WebSocket?: unknown }, (globalThis as { WebSocket?: unknown }).WebSocket];
  context.after(() => (has.WebSocket = had));
  has.WebSocket = Fake;
  const events = new LiveEvents(OPTIONS);
  await opened();
  assert.deepEqual([events.status, FakeSocket.all.length], ["disconnected", 0]);
  events.document(DOCUMENT);
  await opened();
  assert.deepEqual([events.status, FakeSocket.all.length], ["connecting", 1]);
  const quiet = new LiveEvents({ ...OPTIONS, connect: false });
  quiet.document(DOCUMENT);
  await opened();
  assert.deepEqual([quiet.status, FakeSocket.all.length], ["disconnected", 1]);
});

test("a program without a WebSocket is told how to get one", (context) => {
  const [has, had] = [globalThis as { WebSocket?: unknown }, (globalThis as { WebSocket?: unknown }).WebSocket];
  context.after(() => (has.WebSocket = had));
  delete has.WebSocket;
  const why = /There is no WebSocket here\. .* class of the package ws/;
  const events = new LiveEvents(OPTIONS);
  assert.throws(() => events.document(DOCUMENT), why);
  assert.throws(() => events.me("acme"), why);
  assert.throws(() => events.connect(), why);
  assert.equal(events.status, "disconnected");
  assert.throws(() => new LiveEvents({ ...OPTIONS, connect: true }), why);
  const editor = { ...DOCUMENT, editorId: "body", ...OPTIONS, document: new Y.Doc() };
  assert.throws(() => new RoundtableProvider(editor), why);
});
