// A process of clients, which does what `bench.mjs` asks for in messages: the server, those who write and
// those who read do not share a thread.
import { setTimeout as pause } from "node:timers/promises";

import { KINDS, metered } from "./clients.mjs";
import { eventually } from "./service.mjs";

// Browsers have it since 2025, and Node since version 25.
Uint8Array.fromBase64 ??= (text) => new Uint8Array(Buffer.from(text, "base64"));

const clients = [];
const times = [];
let messages = metered();
let cursors;

/** Milliseconds since the epoch, the same in all processes. */
const now = () => performance.timeOrigin + performance.now();

const ASKED = {
  /** Clients join a room. */
  async join({ kind, room, tokens }) {
    const came = [];
    for (const token of tokens) {
      came.push(KINDS[kind](room, token));
      if (came.length % 20 === 0) await pause(60); // API Gateway takes 500 connections a second
    }
    clients.push(...came);
    await eventually("all are synced", () => came.every((it) => it.isSynced()), 120);
  },
  /** The first clients note how long strokes of others take, which say when they were made. */
  watch({ most }) {
    for (const { document } of clients.slice(0, most)) {
      document.getArray("strokes").observe(({ changes, transaction }) => {
        if (transaction.local) return;
        for (const { insert } of changes.delta) for (const made of insert ?? []) times.push(now() - made);
      });
    }
  },
  /** Clients write in turn. */
  async write({ strokes, everyMs, writers }) {
    const began = now();
    for (let stroke = 0; stroke < strokes; stroke++) {
      const { document } = clients[stroke % (writers ?? clients.length)];
      document.getArray("strokes").push([now()]);
      const ahead = began + (stroke + 1) * everyMs - now();
      if (ahead > 0) await pause(ahead);
    }
  },
  seen: () => times.length,
  times: () => times.splice(0),
  present({ from }) {
    clients.forEach(({ awareness }, n) => awareness.setLocalStateField("user", { name: `user ${from + n}` }));
  },
  /** How many see so many others. */
  see: ({ all }) => clients.filter(({ awareness }) => [...awareness.getStates().values()].filter(({ user }) => user).length >= all).length,
  /** Each moves its cursor once in so many milliseconds. */
  move({ everyMs }) {
    let turn = 0;
    cursors = setInterval(() => {
      const { awareness } = clients[turn++ % clients.length];
      awareness.setLocalStateField("cursor", turn);
    }, everyMs / clients.length);
  },
  async fill({ bytes }) {
    const [writer] = clients;
    const text = writer.document.getText("content");
    while (text.length < bytes) {
      text.insert(text.length, "0123456789".repeat(10_000));
      await eventually("it is saved", () => writer.isSaved());
    }
    return text.length;
  },
  /** Clients join, and note how long it takes until they have all of a text. */
  async open({ kind, room, tokens, length }) {
    await Promise.all(tokens.map(async (token) => {
      const began = now();
      const client = KINDS[kind](room, token);
      clients.push(client);
      await eventually("it has joined", () => client.document.getText("content").length >= length, 120);
      times.push(now() - began);
    }));
  },
  count: () => void (messages = metered()),
  counted: () => messages(),
  end() {
    clearInterval(cursors);
    for (const { end } of clients.splice(0)) end();
  },
};

process.on("message", async ({ id, name, values }) => {
  try {
    process.send({ id, result: await ASKED[name](values ?? {}) });
  } catch (error) {
    process.send({ id, error: error.message });
  }
});
process.on("disconnect", () => process.exit());
