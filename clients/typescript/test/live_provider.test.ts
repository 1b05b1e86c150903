import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { roomOf } from "roundtable/live";
import { type ProviderOptions, RoundtableProvider } from "roundtable/live/provider";
import * as Y from "yjs";

import { Auth, Sync, Type, awareness, message, open } from "../dist/live/messages.js";
import { Reader } from "../dist/live/varint.js";
import { fromBase64 } from "../dist/live/base64.js";
import { FRAMES, Fake, FakeSocket, settled } from "./fake.js";

const EDITOR = { organizationId: "acme", documentId: "welcome", editorId: "body" };
const ROOM = roomOf(EDITOR);

const providers: RoundtableProvider[] = [];

beforeEach(() => {
  FakeSocket.all = [];
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: 1_800_000_000_000 });
});
afterEach(() => {
  for (const provider of providers.splice(0)) provider.document.destroy();
  mock.timers.reset();
});

/** The editor as the service has it, and its end of the connection. */
class Service {
  readonly document = new Y.Doc();
  /** Tokens that came. */
  readonly tokens: string[] = [];
  /** Updates that came. */
  readonly updates: Uint8Array[] = [];
  acknowledges = true;
  /** Whether it stores updates. */
  takes = true;
  /** Why it cannot store an update, if it cannot. */
  refuses: (update: Uint8Array) => [code: number, reason: string] | undefined = () => undefined;
  #read = 0;

  constructor(readonly scope = "read-write") {}

  get socket(): FakeSocket {
    return FakeSocket.last;
  }

  say(type: number, body: (writer: ReturnType<typeof message>) => ReturnType<typeof message>): void {
    this.socket.message(body(message("hocuspocus", ROOM, type)).done());
  }

  sync(kind: number, content: Uint8Array): void {
    this.say(Type.sync, (it) => it.uint(kind).block(content));
  }

  acknowledge(): void {
    this.say(Type.syncStatus, (it) => it.uint(1));
  }

  /** Opens the connection and answers all that has come. */
  async accept(): Promise<void> {
    mock.timers.tick(0);
    await settled();
    this.#read = 0;
    this.socket.accept();
    await settled();
    this.answer();
  }

  answer(): void {
    for (; this.#read < this.socket.messages.length; this.#read++) {
      const said = open("hocuspocus", Uint8Array.from(this.socket.messages[this.#read] ?? []));
      const reader = new Reader(said.body);
      if (said.type === Type.auth) {
        reader.uint();
        this.tokens.push(reader.text());
        this.say(Type.auth, (it) => it.uint(Auth.authenticated).text(this.scope));
      }
      if (said.type === Type.sync && reader.uint() === Sync.step1) {
        this.sync(Sync.step2, Y.encodeStateAsUpdate(this.document, reader.block()));
        this.sync(Sync.step1, Y.encodeStateVector(this.document));
      } else if (said.type === Type.sync) {
        this.updates.push(reader.block());
        const why = this.refuses(this.updates.at(-1) ?? new Uint8Array());
        if (why || !this.takes) {
          this.say(Type.syncStatus, (it) => (why ? it.uint(0).uint(why[0]).text(why[1]) : it.uint(0)));
          continue;
        }
        Y.applyUpdate(this.document, this.updates.at(-1) ?? new Uint8Array());
        if (this.acknowledges) this.acknowledge();
      }
    }
  }

  get text(): string {
    return this.document.getText("content").toString();
  }
}

function provide(members: Partial<ProviderOptions> = {}): RoundtableProvider {
  const options = { ...EDITOR, url: "ws://127.0.0.1:3000/live", token: "t", document: new Y.Doc(), WebSocket: Fake };
  const provider = new RoundtableProvider({ ...options, ...members });
  providers.push(provider);
  return provider;
}

function pass(seconds: number): void {
  for (let second = 0; second < seconds; second++) mock.timers.tick(1_000);
}

const textOf = (provider: RoundtableProvider): Y.Text => provider.document.getText("content");

test("both sides end up with what both had", async () => {
  const service = new Service();
  service.document.getText("content").insert(0, "theirs ");
  const provider = provide();
  textOf(provider).insert(0, "ours ");
  await service.accept();
  service.answer();
  assert.equal(provider.synced, true);
  assert.equal(textOf(provider).toString(), service.text);
  assert.equal(service.text.length, 12);
  assert.equal(provider.unsynced, 0);
});

test("the token goes in a message, not in the address", async () => {
  const service = new Service();
  provide({ token: async () => "secret" });
  await service.accept();
  assert.deepEqual(service.tokens, ["secret"]);
  assert.ok(!service.socket.url.includes("secret"));
});

test("who has what the service has sends nothing, deletions included", async () => {
  const service = new Service();
  const theirs = service.document.getText("content");
  theirs.insert(0, "abcdef");
  theirs.delete(1, 2);
  const document = new Y.Doc();
  Y.applyUpdate(document, Y.encodeStateAsUpdate(service.document));
  const provider = provide({ document });
  await service.accept();
  service.answer();
  assert.equal(provider.synced, true);
  assert.deepEqual(service.updates, []);
});

test("a deletion made offline is sent", async () => {
  const service = new Service();
  service.document.getText("content").insert(0, "abcdef");
  const document = new Y.Doc();
  Y.applyUpdate(document, Y.encodeStateAsUpdate(service.document));
  document.getText("content").delete(1, 2);
  provide({ document });
  await service.accept();
  service.answer();
  assert.equal(service.text, "adef");
});

test("changes made before an update is acknowledged go together in the next", async () => {
  const service = new Service();
  const provider = provide();
  await service.accept();
  service.acknowledges = false;
  const before = service.socket.sent.length;
  for (const letter of "typing") textOf(provider).insert(textOf(provider).length, letter);
  service.answer();
  assert.deepEqual([service.text, provider.unsynced], ["t", 6]);
  service.acknowledge();
  service.answer();
  assert.deepEqual([service.text, provider.unsynced], ["typing", 5]);
  for (let letter = 0; letter < 5; letter++) service.acknowledge();
  assert.deepEqual([service.socket.sent.length - before, provider.unsynced], [2, 0]);
});

test("what was not acknowledged when the connection broke is sent on the next one", async () => {
  const service = new Service();
  const provider = provide();
  await service.accept();
  const sent = service.socket.sent.length;
  textOf(provider).insert(0, "lost");
  assert.equal(service.socket.sent.length, sent + 1);
  service.socket.close(1006);
  assert.deepEqual([provider.unsynced, provider.status, provider.synced], [1, "connecting", false]);
  textOf(provider).insert(4, " and found");
  mock.timers.tick(500);
  await service.accept();
  service.answer();
  assert.deepEqual([service.text, provider.unsynced], ["lost and found", 0]);
});

/** A provider with a change that the service has stored and not acknowledged. */
async function unacknowledged(): Promise<{ service: Service; provider: RoundtableProvider }> {
  const service = new Service();
  const provider = provide();
  await service.accept();
  service.acknowledges = false;
  textOf(provider).insert(0, "a");
  service.answer();
  return { service, provider };
}

test("what is not acknowledged is said again, and then both sides compare", async () => {
  const { service, provider } = await unacknowledged();
  const before = service.socket.messages.length;
  service.acknowledges = true;
  mock.timers.tick(10_000);
  assert.equal(service.socket.messages.length, before + 1);
  mock.timers.tick(5_000);
  assert.equal(service.socket.messages.length, before + 2);
  service.answer();
  assert.equal(provider.unsynced, 0);
});

test("an answer that comes after it was given up counts for no later change", async () => {
  const { service, provider } = await unacknowledged();
  mock.timers.tick(10_000);
  mock.timers.tick(5_000);
  service.answer();
  assert.equal(provider.unsynced, 0);
  textOf(provider).insert(1, "b");
  mock.timers.tick(1_000);
  // The answers to what was said first, and again.
  service.acknowledge();
  service.acknowledge();
  assert.equal(provider.unsynced, 1);
  service.acknowledge();
  assert.equal(provider.unsynced, 0);
});

test("an update whose predecessor does not come is asked for", async () => {
  const service = new Service();
  const provider = provide();
  await service.accept();
  const updates: Uint8Array[] = [];
  service.document.on("update", (update: Uint8Array) => updates.push(update));
  service.document.getText("content").insert(0, "one ");
  service.document.getText("content").insert(4, "two");
  service.sync(Sync.update, updates[1] ?? new Uint8Array());
  assert.equal(textOf(provider).toString(), "");
  mock.timers.tick(2_000);
  service.answer();
  assert.equal(textOf(provider).toString(), "one two");
});

test("a reader's changes stay with the reader, are not saved, and go once the reader may write", async () => {
  const service = new Service("readonly");
  const provider = provide();
  const access: string[] = [];
  provider.on("access", (it) => access.push(it));
  await service.accept();
  textOf(provider).insert(0, "mine");
  service.answer();
  assert.deepEqual([access, service.updates, provider.unsynced], [["readonly"], [], 1]);
  service.say(Type.auth, (it) => it.uint(Auth.authenticated).text("read-write"));
  service.answer();
  assert.deepEqual([access, service.text, provider.unsynced], [["readonly", "read-write"], "mine", 0]);
});

test("what is typed when the right to write has come waits for what was typed before", async () => {
  const service = new Service("readonly");
  const provider = provide();
  await service.accept();
  textOf(provider).insert(0, "one ");
  service.answer();
  service.say(Type.auth, (it) => it.uint(Auth.authenticated).text("read-write"));
  textOf(provider).insert(4, "two");
  service.acknowledge();
  assert.deepEqual([service.updates, provider.unsynced], [[], 2]);
  service.answer();
  service.answer();
  assert.deepEqual([service.text, provider.unsynced], ["one two", 0]);
});

test("a refused change is told and stays unsaved, and what follows it is saved with it", async () => {
  const service = new Service();
  const provider = provide();
  const access: string[] = [];
  const refused: Uint8Array[] = [];
  provider.on("access", (it) => access.push(it));
  provider.on("refused", (update) => refused.push(update));
  await service.accept();
  service.answer();
  service.takes = false;
  textOf(provider).insert(0, "one ");
  service.answer();
  textOf(provider).insert(4, "two");
  service.answer();
  assert.deepEqual([access, provider.unsynced, refused.length], [["read-write", "readonly"], 2, 1]);
  const alone = new Y.Doc();
  Y.applyUpdate(alone, refused[0] ?? new Uint8Array());
  assert.equal(alone.getText("content").toString(), "one ");
  // It asks again by itself: what a process of the service knows of rights may be ten seconds old.
  service.takes = true;
  pass(11);
  await settled();
  service.answer();
  service.answer();
  assert.deepEqual([access.at(-1), service.text, provider.unsynced], ["read-write", "one two", 0]);
});

/** A service with no room for values of more than 1,000 bytes. */
function small(): Service {
  const service = new Service();
  service.refuses = (update) => (update.length > 1_000 ? [4413, "too large"] : undefined);
  return service;
}

const told = (provider: RoundtableProvider): { access: string[]; refused: [number, number, string][] } => {
  const heard = { access: [] as string[], refused: [] as [number, number, string][] };
  provider.on("access", (access) => heard.access.push(access));
  provider.on("refused", (update, code, reason) => heard.refused.push([update.length, code, reason]));
  return heard;
};

const LARGE = "x".repeat(2_000);

test("a change that is too large is told with its reason, stays unsaved, and what follows it is sent", async () => {
  const service = small();
  const provider = provide();
  const heard = told(provider);
  await service.accept();
  service.answer();
  textOf(provider).insert(0, LARGE);
  service.answer();
  provider.document.getMap("other").set("a", 1);
  pass(2);
  service.answer();
  assert.deepEqual(heard.access, ["read-write"]);
  assert.deepEqual(heard.refused.map(([, code, reason]) => [code, reason]), [[4413, "too large"]]);
  assert.deepEqual([service.updates.length, provider.unsynced, provider.status], [2, 1, "connected"]);
  // Who leaves does not wait for what is never stored.
  assert.equal(await provider.disconnect(), 1);
});

test("a refused change that is undone is saved with what follows it", async () => {
  const service = small();
  const provider = provide();
  const heard = told(provider);
  await service.accept();
  service.answer();
  textOf(provider).insert(0, LARGE);
  service.answer();
  textOf(provider).insert(LARGE.length, "end");
  pass(2);
  service.answer();
  assert.equal(service.text, "");
  textOf(provider).delete(0, LARGE.length);
  for (let turn = 0; turn < 3; turn++) {
    pass(2);
    service.answer();
  }
  assert.deepEqual([service.text, provider.unsynced, heard.refused.length], ["end", 0, 1]);
});

test("a change that is undone before it is refused is saved with what follows it", async () => {
  const service = small();
  const provider = provide();
  await service.accept();
  service.answer();
  textOf(provider).insert(0, LARGE);
  textOf(provider).insert(LARGE.length, "end");
  textOf(provider).delete(0, LARGE.length);
  for (let turn = 0; turn < 4; turn++) {
    service.answer();
    pass(2);
  }
  assert.deepEqual([service.text, provider.unsynced], ["end", 0]);
});

test("what a local store has beside a refused change is saved on the next connection", async () => {
  const service = small();
  const document = new Y.Doc();
  document.getText("content").insert(0, "kept ");
  document.getText("other").insert(0, "x".repeat(400_000));
  const later = new Y.Doc();
  Y.applyUpdate(later, Y.encodeStateAsUpdate(document));
  later.getText("content").insert(5, "and more");
  service.refuses = (update) => (update.length > 350_000 ? [4413, "too large"] : undefined);
  // The socket sends what is large over HTTPS.
  const calls = mock.method(globalThis, "fetch", async () => {
    const error = { error: { status: "RESOURCE_EXHAUSTED", message: "too large" } };
    return new Response(JSON.stringify(error), { status: 429 });
  });
  const provider = provide({ document: later });
  const heard = told(provider);
  await service.accept();
  for (let turn = 0; turn < 20; turn++) {
    await settled();
    service.answer();
    pass(1);
  }
  assert.deepEqual([service.text, provider.unsynced], ["kept and more", 1]);
  assert.deepEqual(heard.refused.map(([, code, reason]) => [code, reason]), [[4413, "too large"]]);
  assert.equal(provider.status, "connected");
  const before = calls.mock.callCount();
  // What was refused is not sent once more on this connection.
  provider.resync();
  for (let turn = 0; turn < 5; turn++) {
    await settled();
    service.answer();
    pass(1);
  }
  assert.deepEqual([calls.mock.callCount(), heard.refused.length, provider.unsynced], [before, 1, 1]);
  calls.mock.restore();
});

test("a refusal without a code is not one of the right to write when the user may write after all", async () => {
  const service = new Service();
  const provider = provide();
  const heard = told(provider);
  await service.accept();
  service.answer();
  service.takes = false;
  textOf(provider).insert(0, "foreign");
  service.answer();
  assert.deepEqual(heard.access, ["read-write", "readonly"]);
  for (let turn = 0; turn < 3; turn++) {
    pass(11);
    await settled();
    service.answer();
  }
  service.takes = true;
  provider.document.getMap("other").set("a", 1);
  service.answer();
  assert.equal(heard.access.at(-1), "read-write");
  assert.deepEqual(heard.refused.map(([, code]) => code), [4403, 4400]);
  assert.equal(provider.unsynced, 1);
});

test("a listener that throws does not keep a change from being sent", async (context) => {
  const thrown: (() => void)[] = [];
  const service = new Service();
  const provider = provide();
  await service.accept();
  service.answer();
  context.mock.method(globalThis, "queueMicrotask", (call: () => void) => void thrown.push(call));
  provider.on("unsynced", () => {
    throw new Error("The badge is gone.");
  });
  textOf(provider).insert(0, "sent");
  service.answer();
  assert.equal(service.text, "sent");
  assert.throws(() => thrown[0]?.(), /The badge is gone/);
});

test("a page that comes back from the cache of its browser is seen again", async () => {
  const page = new EventTarget();
  const names = ["addEventListener", "removeEventListener"] as const;
  for (const name of names) Object.defineProperty(globalThis, name, { value: page[name].bind(page), configurable: true });
  try {
    const service = new Service();
    const provider = provide();
    provider.awareness.setLocalStateField("user", "Ada");
    await service.accept();
    page.dispatchEvent(new Event("pagehide"));
    assert.equal(provider.awareness.getLocalState(), null);
    service.socket.close(1006);
    page.dispatchEvent(new Event("pageshow"));
    pass(1);
    await service.accept();
    assert.deepEqual(provider.awareness.getLocalState(), { user: "Ada" });
    const said = service.socket.messages.filter(isAwareness).map((it) => new TextDecoder().decode(Uint8Array.from(it)));
    assert.ok(said.at(-1)?.includes("Ada"));
  } finally {
    for (const name of names) Reflect.deleteProperty(globalThis, name);
  }
});

test("frames that the service sent are understood", async () => {
  const decoded = (frame: string): Uint8Array => fromBase64(frame);
  const { name } = open("hocuspocus", decoded(FRAMES.readWrite));
  const [organizationId = "", documentId = "", editorId = ""] = name.split("/");
  const provider = provide({ organizationId, documentId, editorId });
  const told: unknown[] = [];
  provider.on("access", (it) => told.push(it));
  provider.on("closed", ({ code }) => told.push(code));
  mock.timers.tick(0);
  await settled();
  const socket = FakeSocket.last.accept();
  await settled();
  for (const frame of [FRAMES.readWrite, FRAMES.step2, FRAMES.step1]) socket.text(frame);
  textOf(provider).insert(0, "a");
  socket.text(FRAMES.saved);
  assert.equal(provider.unsynced, 0);
  textOf(provider).insert(1, "b");
  socket.text(FRAMES.refused);
  socket.text(FRAMES.readonly);
  assert.equal(provider.unsynced, 1);
  socket.text(FRAMES.gone);
  mock.timers.tick(60_000);
  await settled();
  assert.deepEqual(told, ["read-write", "readonly", "readonly", 4410]);
  assert.deepEqual([provider.status, FakeSocket.all.length], ["disconnected", 1]);
});

test("who leaves waits until all is stored, for five seconds at most", async () => {
  const service = new Service();
  const provider = provide();
  await service.accept();
  service.answer();
  service.acknowledges = false;
  textOf(provider).insert(0, "last words");
  const left = provider.destroy();
  assert.deepEqual([provider.status, service.socket.readyState], ["connected", 1]);
  service.answer();
  service.acknowledge();
  assert.equal(await left, 0);
  assert.deepEqual([provider.status, service.socket.readyState, service.text], ["disconnected", 3, "last words"]);
  // Before it was ever connected.
  const hasty = provide();
  textOf(hasty).insert(0, "too ");
  const done = hasty.destroy();
  service.acknowledges = true;
  await service.accept();
  service.answer();
  assert.equal(await done, 0);
  assert.ok(service.text.includes("too "));
  // Without an answer it says how much is lost.
  const lost = provide();
  textOf(lost).insert(0, "x");
  const end = lost.disconnect();
  mock.timers.tick(5_000);
  assert.deepEqual([await end, lost.status], [1, "disconnected"]);
  // What was not stored is sent after `connect`.
  lost.connect();
  await service.accept();
  service.answer();
  assert.equal(lost.unsynced, 0);
});

test("what a document had before counts as unsaved until both sides have compared", async () => {
  for (const knows of [true, false]) {
    const service = new Service();
    const document = new Y.Doc();
    document.getText("content").insert(0, "kept");
    if (knows) Y.applyUpdate(service.document, Y.encodeStateAsUpdate(document));
    const provider = provide({ document });
    assert.equal(provider.unsynced, 1);
    service.acknowledges = false;
    await service.accept();
    assert.deepEqual([provider.unsynced, service.text], [knows ? 0 : 1, "kept"]);
    service.acknowledge();
    assert.equal(provider.unsynced, 0);
  }
});

test("who leaves once more is told what is not stored then", async () => {
  const service = new Service();
  const provider = provide();
  await service.accept();
  service.answer();
  assert.equal(await provider.disconnect(), 0);
  textOf(provider).insert(0, "offline");
  assert.deepEqual([await provider.disconnect(), await provider.destroy()], [1, 1]);
});

test("a token that cannot be had while the one before is valid keeps the connection", async () => {
  const service = new Service();
  let asked = 0;
  const claims = btoa(JSON.stringify({ exp: Date.now() / 1000 + 3600 }));
  const token = (): string => {
    if (++asked === 2) throw new Error("The server of the tenant is away.");
    return `head.${claims}.signature`;
  };
  const provider = provide({ token });
  await service.accept();
  pass(3_541);
  await settled();
  assert.deepEqual([asked, provider.status, FakeSocket.all.length], [2, "connected", 1]);
  pass(5);
  await settled();
  service.answer();
  assert.deepEqual([asked, service.tokens.length, FakeSocket.all.length], [3, 2, 1]);
});

test("while no token can be had, connections come ever more seldom", async (context) => {
  context.mock.method(Math, "random", () => 1);
  let asked = 0;
  const token = async (): Promise<string> => {
    asked++;
    throw new Error("The server of the tenant is away.");
  };
  const provider = provide({ token });
  for (const wait of [0, 500, 1_000, 2_000, 4_000]) {
    const before = FakeSocket.all.length;
    if (wait > 0) mock.timers.tick(wait - 1);
    await settled();
    assert.equal(FakeSocket.all.length, before, `not after ${wait} ms`);
    mock.timers.tick(1);
    await settled();
    FakeSocket.last.accept();
    await settled();
  }
  assert.deepEqual([asked, FakeSocket.all.length, provider.status], [5, 5, "connecting"]);
});

test("who is admitted and refused at once with a new token as well stops", async () => {
  const service = new Service();
  const closed: number[] = [];
  provide({ token: () => "t" }).on("closed", ({ code }) => closed.push(code));
  for (const wait of [0, 500, 1_000]) {
    if (closed.length > 0) break;
    mock.timers.tick(wait);
    await service.accept();
    service.socket.frame({ type: "close", code: 4403, reason: "The Yjs client 1 belongs to another user." });
    await settled();
  }
  assert.deepEqual([closed, FakeSocket.all.length], [[4403], 2]);
  // A connection that has lasted had a token that was right, and so has one that stored a change.
  for (const lasts of [true, false]) {
    const other = provide({ token: () => "t" });
    other.on("closed", ({ code }) => closed.push(code));
    mock.timers.tick(0);
    await settled();
    for (let connection = 0; connection < 3; connection++) {
      mock.timers.tick(30_000);
      await service.accept();
      if (lasts) pass(11);
      else textOf(other).insert(0, "a");
      service.answer();
      service.socket.frame({ type: "close", code: 4401, reason: "The token has expired." });
      await settled();
    }
    assert.deepEqual(closed, [4403], `lasts: ${lasts}`);
    await other.destroy();
  }
});

test("a token that is refused is got anew once, then the provider stops", async () => {
  const service = new Service();
  const closed: number[] = [];
  let asked = 0;
  const provider = provide({ token: () => `t${++asked}` });
  provider.on("closed", ({ code }) => closed.push(code));
  for (const wait of [0, 500]) {
    mock.timers.tick(wait);
    await settled();
    service.socket.accept();
    await settled();
    assert.deepEqual(closed, []);
    service.socket.frame({ type: "close", code: 4401, reason: "expired" });
  }
  mock.timers.tick(60_000);
  await settled();
  assert.deepEqual([asked, closed, provider.status, FakeSocket.all.length], [2, [4401], "disconnected", 2]);
});

test("a document that is not there is given up at once", async () => {
  const service = new Service();
  const provider = provide();
  const closed: object[] = [];
  provider.on("closed", (why) => closed.push(why));
  await service.accept();
  service.socket.frame({ type: "close", code: 4404, reason: "There is no document." });
  mock.timers.tick(60_000);
  await settled();
  assert.deepEqual(closed, [{ code: 4404, reason: "There is no document." }]);
  assert.equal(FakeSocket.all.length, 1);
});

test("a token is renewed a minute before it ends, on the open connection", async () => {
  const service = new Service();
  const claims = btoa(JSON.stringify({ exp: Date.now() / 1000 + 3600 }));
  provide({ token: () => `head.${claims}.signature` });
  await service.accept();
  pass(3_539);
  await settled();
  service.answer();
  assert.equal(service.tokens.length, 1);
  mock.timers.tick(1_000);
  await settled();
  service.answer();
  assert.deepEqual([service.tokens.length, FakeSocket.all.length], [2, 1]);
});

const isAwareness = (said: number[]): boolean => open("hocuspocus", Uint8Array.from(said)).type === Type.awareness;
const awarenessSaid = (service: Service): number => service.socket.messages.filter(isAwareness).length;

test("awareness is said when it changes, and repeated only for clients that expect it", async () => {
  const service = new Service();
  const provider = provide();
  await service.accept();
  const stock = (clock: number): void =>
    service.socket.message(awareness("hocuspocus", ROOM, [{ id: 9, clock, state: "{}" }]));
  const repeat = (): void => {
    provider.awareness.setLocalState(provider.awareness.getLocalState());
    mock.timers.tick(100);
  };
  stock(1);
  repeat();
  assert.equal(awarenessSaid(service), 1);
  stock(2);
  repeat();
  assert.equal(awarenessSaid(service), 2);
  pass(46);
  repeat();
  assert.equal(awarenessSaid(service), 2);
  provider.awareness.setLocalStateField("cursor", 3);
  mock.timers.tick(100);
  assert.equal(awarenessSaid(service), 3);
});

test("a client that says its state once more is not taken for one that repeats it", async () => {
  const service = new Service();
  const provider = provide();
  await service.accept();
  const other = (clock: number): void =>
    service.socket.message(awareness("hocuspocus", ROOM, [{ id: 9, clock, state: "{}" }]));
  other(1);
  pass(40);
  const before = awarenessSaid(service);
  other(2);
  provider.awareness.setLocalState(provider.awareness.getLocalState());
  pass(1);
  assert.equal(awarenessSaid(service), before);
});

test("whoever was there before a break, and has not moved, is there after it", async () => {
  const service = new Service();
  const { awareness: known } = provide();
  for (let connection = 0; connection < 2; connection++) {
    await service.accept();
    service.socket.message(awareness("hocuspocus", ROOM, [{ id: 9, clock: 1, state: "{}" }]));
    assert.ok(known.getStates().has(9));
    service.socket.close(1006);
    assert.ok(!known.getStates().has(9));
    pass(1);
  }
});

test("awareness that no longer changes is said once more, for who comes later", async () => {
  const service = new Service();
  const provider = provide();
  await service.accept();
  service.socket.message(awareness("hocuspocus", ROOM, [{ id: 9, clock: 1, state: "{}" }]));
  provider.awareness.setLocalStateField("user", "Ada");
  pass(1);
  const before = awarenessSaid(service);
  pass(23);
  assert.equal(awarenessSaid(service), before);
  pass(100);
  assert.equal(awarenessSaid(service), before + 1);
});

test("whoever the service has not called gone is there, however long they are silent", async () => {
  const service = new Service();
  const { awareness: known } = provide();
  await service.accept();
  service.socket.message(awareness("hocuspocus", ROOM, [{ id: 9, clock: 1, state: "{}" }]));
  const meta = known.meta.get(9);
  assert.ok(meta);
  pass(11);
  const ago = Date.now() - meta.lastUpdated;
  assert.ok(ago >= 0 && ago < 10_000, String(ago));
  service.socket.message(awareness("hocuspocus", ROOM, [{ id: 9, clock: 2, state: "null" }]));
  assert.ok(!known.getStates().has(9));
});

test("a cursor that moves fast is said a few times, and at last where it is", async () => {
  const service = new Service();
  const provider = provide();
  await service.accept();
  for (let ms = 0; ms < 1_000; ms += 5) {
    provider.awareness.setLocalStateField("cursor", ms);
    mock.timers.tick(5);
  }
  mock.timers.tick(50);
  const last = new TextDecoder().decode(Uint8Array.from(service.socket.messages.filter(isAwareness).at(-1) ?? []));
  assert.ok(last.includes('"cursor":995'));
  assert.ok(awarenessSaid(service) < 30, String(awarenessSaid(service)));
});
