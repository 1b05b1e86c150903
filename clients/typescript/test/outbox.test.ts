import "fake-indexeddb/auto";

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { ApiError, NetworkError } from "roundtable";

import type { Change } from "../dist/store/change.js";
import { Outbox } from "../dist/store/outbox.js";
import { type KeptChange, type OutboxStorage, indexedDbStorage } from "../dist/store/outbox_storage.js";
import type { Sent } from "../dist/store/send.js";
import { settled } from "./fake.js";

beforeEach(() => mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: 1_800_000_000_000 }));
afterEach(() => mock.timers.reset());

const failure = (code: "PERMISSION_DENIED" | "RESOURCE_EXHAUSTED", retryAfterMs?: number): ApiError =>
  new ApiError("comments.add", {
    status: code === "PERMISSION_DENIED" ? 403 : 429,
    code,
    text: "no",
    issues: [],
    details: undefined,
    requestId: undefined,
    retryAfterMs,
  });

/** An outbox, and the service that it sends to. */
class Desk {
  readonly sent: string[] = [];
  readonly log: string[] = [];
  /** What the service makes of a change. */
  answer: (change: Change) => Sent = () => ({});
  readonly outbox: Outbox;

  constructor(storage?: OutboxStorage) {
    const name = (change: Change) => `${change.key}@${"commentId" in change ? change.commentId : ""}`;
    this.outbox = new Outbox("scope", storage, {
      send: async (change) => {
        this.sent.push(name(change));
        return this.answer(change);
      },
      shown: (change) => this.log.push(`shown ${name(change)}`),
      stored: (change) => this.log.push(`stored ${change.key} ${"draftId" in change ? change.draftId : ""}`.trim()),
      refused: (change) => this.log.push(`refused ${change.key}`),
    });
    this.outbox.start();
  }

  add(key: string, subject: string, commentId = -1): Promise<void> {
    return this.outbox.add({ kind: "comment.delete", key, documentId: "plan", subject, at: Date.now(), commentId });
  }

  /** Lets an hour pass, second by second. */
  async hour(): Promise<void> {
    for (let second = 0; second < 3_600; second++) {
      mock.timers.tick(1_000);
      await Promise.resolve();
    }
    await settled();
  }
}

test("what is offline for an hour is sent then, in order, and asked for less and less often", async () => {
  const desk = new Desk();
  desk.answer = () => {
    throw new NetworkError("comments.delete", "the connection failed");
  };
  for (const key of ["1", "2", "3"]) void desk.add(key, "t", 7);
  await desk.hour();
  assert.ok(desk.sent.every((it) => it === "1@7"));
  assert.ok(desk.sent.length > 100 && desk.sent.length < 500, String(desk.sent.length));
  assert.equal(desk.outbox.state.get().pending.length, 3);
  desk.sent.length = 0;
  desk.answer = () => ({});
  desk.outbox.wake();
  await settled();
  assert.deepEqual([desk.sent, desk.outbox.state.get()], [["1@7", "2@7", "3@7"], { pending: [], failed: [] }]);
  desk.outbox.stop();
});

test("a thread that waits does not stop others, and a time that the service asked for is kept", async () => {
  const desk = new Desk();
  desk.answer = ({ subject }) => {
    if (subject === "slow") throw failure("RESOURCE_EXHAUSTED", 5_000);
    return {};
  };
  void desk.add("1", "slow", 1);
  void desk.add("2", "fast", 2);
  await settled();
  assert.deepEqual(desk.sent, ["1@1", "2@2"]);
  desk.outbox.wake();
  mock.timers.tick(4_999);
  await settled();
  assert.equal(desk.sent.length, 2);
  mock.timers.tick(1);
  await settled();
  assert.equal(desk.sent.length, 3);
  desk.outbox.stop();
});

test("a refusal is the end of one change, which can be sent again under another key", async () => {
  const desk = new Desk();
  let isAllowed = false;
  desk.answer = ({ key }) => {
    if (key !== "2" && !isAllowed) throw failure("PERMISSION_DENIED");
    return {};
  };
  const done = desk.add("1", "t", 7);
  void desk.add("2", "t", 7);
  await assert.rejects(done, { code: "PERMISSION_DENIED" });
  await settled();
  const { pending, failed } = desk.outbox.state.get();
  assert.deepEqual([pending, failed.map(({ change }) => change.key)], [[], ["1"]]);
  assert.deepEqual(desk.log, ["shown 1@7", "shown 2@7", "refused 1", "stored 2"]);
  isAllowed = true;
  await desk.outbox.retry(failed[0] ?? assert.fail());
  assert.equal(desk.outbox.state.get().failed.length, 0);
  assert.notEqual(desk.sent.at(-1), "1@7");
  desk.outbox.stop();
});

test("the page of a hotel's network refuses nothing, and what is too large for a gateway is refused", async () => {
  const desk = new Desk();
  const replies: [number, boolean][] = [[200, false], [403, false], [407, false], [408, false], [413, true]];
  for (const [status, isRefused] of replies) {
    const details = { text: "", issues: [], details: undefined, requestId: undefined, retryAfterMs: undefined };
    desk.answer = () => {
      throw new ApiError("comments.delete", { status, code: "UNKNOWN", ...details });
    };
    void desk.add(`${status}`, `${status}`, 7);
    await settled();
    assert.equal(desk.outbox.state.get().failed.length, isRefused ? 1 : 0, `${status}`);
  }
  desk.outbox.stop();
});

test("what is about a draft is about its comment as soon as that has a number", async () => {
  const desk = new Desk();
  desk.answer = ({ kind }) => (kind === "comment.add" ? { commentId: 700 } : {});
  void desk.outbox.add({
    kind: "comment.add",
    key: "1",
    documentId: "plan",
    subject: "t",
    at: 0,
    draftId: -5,
    comment: { text: "One" },
  });
  void desk.add("2", "t", -5);
  await settled();
  void desk.add("3", "t", -5);
  await settled();
  assert.deepEqual(desk.sent, ["1@", "2@700", "3@700"]);
  assert.ok(desk.log.includes("stored 1 700"));
  desk.outbox.stop();
});

test("what is kept of a page that is gone is sent once, with the same key", async () => {
  const kept = new Map<string, KeptChange>();
  const storage: OutboxStorage = {
    load: async (scope) => [...kept.values()].filter((it) => it.scope === scope),
    put: async (it) => void kept.set(it.key, structuredClone(it)),
    delete: async (key) => void kept.delete(key),
  };
  const gone = new Desk(storage);
  gone.answer = () => {
    throw new NetworkError("comments.delete", "the connection failed");
  };
  for (const key of ["1", "2"]) void gone.add(key, "t", 7);
  await settled();
  // A page that lives keeps what is its own.
  const other = new Desk(storage);
  await settled();
  assert.deepEqual([other.sent, kept.size], [[], 2]);
  gone.outbox.stop();
  mock.timers.tick(60_000);
  for (let turn = 0; turn < 10; turn++) await settled();
  assert.deepEqual([other.sent, kept.size], [["1@7", "2@7"], 0]);
  other.outbox.stop();
});

/** A database of the browser. */
class Kept implements OutboxStorage {
  readonly all = new Map<string, KeptChange>();
  load = async (scope: string) => [...this.all.values()].filter((it) => it.scope === scope);
  readonly put = async (it: KeptChange) => void this.all.set(it.key, structuredClone(it));
  readonly delete = async (key: string) => void this.all.delete(key);
}

const comment = (key: string, text: string, more: object = {}): Change => ({
  kind: "comment.add",
  key,
  documentId: "plan",
  subject: "t",
  at: Date.now(),
  draftId: -5,
  comment: { text, ...more },
});

test("what was written and refused is there on the next page, until it is discarded", async () => {
  const storage = new Kept();
  const gone = new Desk(storage);
  gone.answer = () => {
    throw failure("PERMISSION_DENIED");
  };
  void gone.outbox.add(comment("1", "A long text"));
  void gone.add("2", "t", 7);
  await settled();
  assert.equal(gone.outbox.state.get().failed.length, 2);
  gone.outbox.stop();
  const next = new Desk(storage);
  for (let turn = 0; turn < 10; turn++) await settled();
  const { failed } = next.outbox.state.get();
  assert.deepEqual([failed.map(({ change }) => change.key), next.sent], [["1"], []]);
  assert.match(failed[0]?.error.message ?? "", /PERMISSION_DENIED/);
  next.outbox.discard(failed[0] ?? assert.fail());
  await settled();
  assert.deepEqual([next.outbox.state.get().failed.length, storage.all.size], [0, 0]);
  next.outbox.stop();
});

test("changes of one moment keep their order, and each stays what it was when it was made", async () => {
  const storage = new Kept();
  const gone = new Desk(storage);
  gone.answer = () => {
    throw new NetworkError("comments.add", "the connection failed");
  };
  // A proxy, as some libraries make them, cannot be cloned.
  const body = { text: "first" };
  const keys = ["z", "y", "x", "w"];
  for (const key of keys) void gone.outbox.add(comment(key, key, { context: { body: new Proxy(body, {}) } }));
  body.text = "second";
  await settled();
  gone.outbox.stop();
  // A database has them in the order of their keys.
  storage.load = async () => [...storage.all.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  const next = new Desk(storage);
  const bodies: unknown[] = [];
  next.answer = (change) => {
    if (change.kind === "comment.add") bodies.push(change.comment.context);
    return {};
  };
  for (let turn = 0; turn < 20; turn++) await settled();
  assert.deepEqual(next.sent, keys.map((key) => `${key}@`));
  assert.deepEqual(bodies, Array(4).fill({ body: { text: "first" } }));
  next.outbox.stop();
});

test("a database that the browser closed is opened again", async (context) => {
  mock.timers.reset();
  const storage = indexedDbStorage() ?? assert.fail("There is no IndexedDB.");
  const kept = { key: "1", scope: "closed", owner: "me", change: comment("1", "One") };
  const opened = context.mock.method(indexedDB, "open");
  await storage.put(kept);
  (opened.mock.calls[0]?.result as IDBOpenDBRequest).result.close();
  await storage.put({ ...kept, key: "2" });
  assert.equal((await storage.load("closed")).length, 2);
});

/** The Web Locks of a browser, as far as owners use them. */
class Locks {
  readonly #held = new Set<string>();

  async request(name: string, ...rest: unknown[]): Promise<unknown> {
    const does = rest.at(-1) as (lock: object | null) => unknown;
    const isAsked = (rest[0] as { ifAvailable?: boolean }).ifAvailable === true;
    if (this.#held.has(name)) return isAsked ? does(null) : new Promise(() => {});
    this.#held.add(name);
    try {
      return await does({ name });
    } finally {
      this.#held.delete(name);
    }
  }
}

test("of several pages, one takes over what a closed one left", async (context) => {
  const before = Object.getOwnPropertyDescriptor(globalThis, "navigator");
  context.after(() =>
    before ? Object.defineProperty(globalThis, "navigator", before) : Reflect.deleteProperty(globalThis, "navigator"),
  );
  Object.defineProperty(globalThis, "navigator", { configurable: true, value: { locks: new Locks() } });
  // Each page has modules of its own.
  const page = (name: string): Promise<typeof import("../dist/store/owner.js")> =>
    import(`../dist/store/owner.js?${name}`);
  const [first, second, third] = [await page("first"), await page("second"), await page("third")];
  const owner = new first.Owner();
  owner.begin();
  const did: string[] = [];
  const take = ({ insteadOf }: typeof first, name: string): Promise<void> =>
    insteadOf(owner.name, async () => {
      did.push(name);
      await settled();
    });
  await Promise.all([take(second, "second"), take(third, "third")]);
  assert.deepEqual(did, []);
  owner.end();
  await settled();
  await Promise.all([take(second, "second"), take(third, "third")]);
  assert.deepEqual(did, ["second"]);
});
