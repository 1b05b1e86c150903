// The live channel beside @hocuspocus/server, in one run on one machine: latency, many clients with
// presence, join of a large document; and what AWS would charge for. Prints a table.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { HocuspocusProvider, HocuspocusProviderWebsocket } from "@hocuspocus/provider";
import { roomOf, roundtableSocket } from "roundtable/live";
import { RoundtableProvider } from "roundtable/live/provider";
import WebSocket from "ws";
import { WebsocketProvider } from "y-websocket";
import * as Y from "yjs";

import { BASE, LIVE, Service, Tenant, eventually } from "./service.mjs";

globalThis.WebSocket ??= WebSocket; // y-websocket names it, whatever polyfill it is given
const CROWD = Number(process.env.CROWD ?? 500);
const WRITERS = Number(process.env.WRITERS ?? 200);
const LARGE = Number(process.env.LARGE_MB ?? 3) * 1_000_000;
const JOINERS = Number(process.env.JOINERS ?? 30);
const PORT = 3933;
/** List prices of API Gateway in us-east-1, in dollars. */
const PER_MESSAGE = 1e-6;
const PER_MINUTE = 0.25e-6;
/** Of a message that comes in: a call of a function (20 ms of 512 MB on arm64), 2 write and 2 read units. */
const PER_CALL = 0.2e-6 + 0.02 * 0.5 * 13.3334e-6 + 2 * 0.625e-6 + 2 * 0.125e-6;

/** Counts messages as they are metered: per 32 KB. */
const counts = { in: 0, out: 0 };
class Counted extends WebSocket {
  constructor(...values) {
    super(...values);
    super.addEventListener("message", ({ data }) => (counts.out += Math.ceil((data.length ?? data.byteLength) / 32_768)));
  }
  send(data, ...rest) {
    counts.in++;
    super.send(data, ...rest);
  }
}
function metered() {
  const before = { ...counts };
  return () => ({ in: counts.in - before.in, out: counts.out - before.out });
}

function stock(url, name, token, WebSocketPolyfill) {
  const websocketProvider = new HocuspocusProviderWebsocket({ url, WebSocketPolyfill });
  const provider = new HocuspocusProvider({ websocketProvider, name, token });
  provider.attach();
  const { document, awareness } = provider;
  return { document, awareness, isSynced: () => provider.isSynced, isSaved: () => provider.unsyncedChanges === 0, end: () => (provider.destroy(), websocketProvider.destroy()) };
}

/** A server of Hocuspocus and its stock clients. */
async function hocuspocus(file) {
  const path = new URL("hocuspocus.mjs", import.meta.url).pathname;
  const child = spawn(process.execPath, [path, String(PORT), ...(file ? [file] : [])], { stdio: "ignore" });
  await eventually("Hocuspocus answers", () => fetch(`http://127.0.0.1:${PORT}`).then(() => true, () => false));
  return {
    room: async (name) => name,
    client: (name) => stock(`ws://127.0.0.1:${PORT}`, name, "any", Counted),
    memory: () => memoryOf(child.pid),
    end: async () => child.kill(),
  };
}

/** The service with clients of a kind. */
async function roundtable(client) {
  const service = await new Service().start();
  const tenant = await Tenant.make(service);
  // A user has 20 connections in a room.
  const tokens = await Promise.all(Array.from({ length: Math.ceil(Math.max(CROWD, WRITERS) / 20) + 1 }, (_, n) => tenant.token(`user-${n}`)));
  const state = { authorization: `Bearer ${tokens[0]}` };
  let count = 0;
  return { state, room: (name) => tenant.editor(name), client: (editor) => client(editor, tokens[count++ % tokens.length]), memory: () => memoryOf(service.pid), end: () => service.end() };
}

/** The most memory a process ever had, in MB. */
function memoryOf(pid) {
  const [, kilobytes] = readFileSync(`/proc/${pid}/status`, "utf8").match(/VmHWM:\s+(\d+)/);
  return Math.round(kilobytes / 1000);
}

const ours = (editor, token) => {
  const provider = new RoundtableProvider({ ...editor, url: LIVE, token, document: new Y.Doc(), WebSocket: Counted });
  const { document, awareness } = provider;
  return { document, awareness, isSynced: () => provider.synced, isSaved: () => provider.unsynced === 0, end: () => provider.destroy() };
};
const adapted = () => roundtableSocket({ WebSocket: Counted });
const theirs = (editor, token) => stock(LIVE, roomOf(editor), token, adapted());
const yWebsocket = (url, Socket) => (editor, token) => {
  const document = new Y.Doc();
  const provider = new WebsocketProvider(url, roomOf(editor), document, { WebSocketPolyfill: Socket, params: { token }, disableBc: true });
  // It does not know what is saved: what it sends goes in order.
  return { document, awareness: provider.awareness, isSynced: () => provider.synced, isSaved: () => true, end: () => provider.destroy() };
};

const folder = mkdtempSync(join(tmpdir(), "bench-live-"));
const SIDES = {
  "Hocuspocus, in memory": () => hocuspocus(),
  "Hocuspocus, SQLite": () => hocuspocus(join(folder, "hocuspocus.sqlite")),
  "Roundtable, @hocuspocus/provider": () => roundtable(theirs),
  "Roundtable, RoundtableProvider": () => roundtable(ours),
  "Roundtable, @hocuspocus/provider without our socket": () => roundtable((editor, token) => stock(`${LIVE}/hocuspocus`, roomOf(editor), token, Counted)),
  "Roundtable, y-websocket": () => roundtable(yWebsocket(LIVE, adapted())),
  "Roundtable, y-websocket without our socket": () => roundtable(yWebsocket(`${LIVE}/y`, Counted)),
};

const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
function figures(times) {
  const sorted = [...times].sort((a, b) => a - b);
  return `p50 ${at(sorted, 0.5).toFixed(1)} ms, p95 ${at(sorted, 0.95).toFixed(1)} ms, p99 ${at(sorted, 0.99).toFixed(1)} ms`;
}

async function gather(side, room, size) {
  const clients = [];
  for (let n = 0; n < size; n++) {
    clients.push(side.client(room));
    if (n % 20 === 19) await pause(60); // API Gateway takes 500 connections a second
  }
  await eventually(`${size} clients are synced`, () => clients.every((it) => it.isSynced()), 120);
  return clients;
}

/** Milliseconds from a keystroke to each other screen. */
async function keystrokes(clients, strokes, everyMs) {
  const [writer, ...others] = clients;
  const sent = new Map();
  const times = [];
  for (const { document } of others) {
    document.getArray("strokes").observe(({ changes }) => {
      for (const { insert } of changes.delta) for (const stroke of insert ?? []) times.push(performance.now() - sent.get(stroke));
    });
  }
  for (let stroke = 0; stroke < strokes; stroke++) {
    sent.set(stroke, performance.now());
    writer.document.getArray("strokes").push([stroke]);
    await pause(everyMs);
  }
  await eventually("every stroke arrives", () => times.length === strokes * others.length, 60).catch(() => {});
  return { times, lost: strokes * others.length - times.length };
}

/** Keystrokes after a pause: those of fast typing among many are gathered, see `typing`. */
async function latency(side, size) {
  const clients = await gather(side, await side.room(`latency ${size}`), size);
  await pause(1000);
  const [strokes, everyMs] = size > 2 ? [30, 1100] : [100, 50];
  const { times, lost } = await keystrokes(clients, strokes, everyMs);
  for (const { end } of clients) end();
  return `${figures(times)}, ${lost} lost`;
}

/** Five keys a second without a pause, among ten people. */
async function typing(side) {
  const clients = await gather(side, await side.room("typing"), 10);
  await pause(1000);
  const { times, lost } = await keystrokes(clients, 100, 200);
  for (const { end } of clients) end();
  return `${figures(times)}, ${lost} lost`;
}

async function crowd(side) {
  const began = performance.now();
  const clients = await gather(side, await side.room("crowd"), CROWD);
  clients.forEach(({ awareness }, n) => awareness.setLocalStateField("user", { name: `user ${n}` }));
  const isSeen = ({ awareness }) => [...awareness.getStates().values()].filter(({ user }) => user).length === CROWD;
  await eventually("all are seen by all", () => clients.every(isSeen), 120).catch(() => {});
  const seen = clients.filter(isSeen).length;
  const there = performance.now() - began;
  const { times, lost } = await keystrokes(clients, 20, 1100);
  for (const { end } of clients) end();
  return `${seen} of ${CROWD} see all after ${(there / 1000).toFixed(1)} s; strokes ${figures(times)}, ${lost} lost`;
}

/** All write, one after the other, each once in two seconds: from a stroke to the screens of five of them. */
async function writers(side) {
  const clients = await gather(side, await side.room("writers"), WRITERS);
  await pause(1000);
  const [sent, times, rounds, watchers] = [new Map(), [], 10, clients.slice(0, 5)];
  for (const { document } of watchers) {
    document.getArray("strokes").observe(({ changes, transaction }) => {
      if (transaction.local) return;
      for (const { insert } of changes.delta) for (const stroke of insert ?? []) times.push(performance.now() - sent.get(stroke));
    });
  }
  const messages = metered();
  const began = performance.now();
  for (let stroke = 0; stroke < rounds * WRITERS; stroke++) {
    sent.set(stroke, performance.now());
    clients[stroke % WRITERS].document.getArray("strokes").push([stroke]);
    const ahead = began + (stroke * 2000) / WRITERS - performance.now();
    if (ahead > 0) await pause(ahead);
  }
  const wanted = rounds * (WRITERS * watchers.length - watchers.length);
  await eventually("every stroke arrives", () => times.length === wanted, 60).catch(() => {});
  const { in: received, out } = messages();
  const memory = side.memory();
  for (const { end } of clients) end();
  return `${figures(times)}, ${wanted - times.length} lost; messages in ${received}, out ${out}; process ${memory} MB`;
}

async function largeJoin(side) {
  const room = await side.room("large");
  const writer = side.client(room);
  await eventually("it is synced", () => writer.isSynced());
  const text = writer.document.getText("content");
  for (let n = 0; n < LARGE; n += 100_000) {
    text.insert(text.length, "0123456789".repeat(10_000));
    await eventually("it is saved", () => writer.isSaved());
  }
  await pause(2000);
  const times = [];
  const messages = metered();
  const joiners = await Promise.all(Array.from({ length: JOINERS }, async () => {
    const began = performance.now();
    const client = side.client(room);
    await eventually("it has joined", () => client.document.getText("content").length === text.length, 120);
    times.push(performance.now() - began);
    return client;
  }));
  const { out } = messages();
  const memory = side.memory();
  for (const { end } of [writer, ...joiners]) end();
  const replies = side.state ? await statesOf(room, side.state) : "";
  return `${figures(times)}; messages out ${out}; process ${memory} MB${replies}`;
}

/** The replies with the state alone: clients that only receive leave the processors to the service. */
async function statesOf(room, headers) {
  const times = await Promise.all(Array.from({ length: JOINERS }, () => new Promise((resolve, reject) => {
    const began = performance.now();
    const options = { method: "POST", headers: { ...headers, "content-type": "application/json", "accept-encoding": "gzip" } };
    const asked = request(`${BASE}/v2/crdt/state/get`, options, (reply) => {
      if (reply.statusCode !== 200) return reject(new Error(`The state is answered with ${reply.statusCode}.`));
      reply.on("end", () => resolve(performance.now() - began)).resume();
    });
    asked.on("error", reject).end(JSON.stringify({ data: room }));
  })));
  return `; replies alone ${figures(times)}`;
}

/** A minute of ten people, two of whom type, and what an hour of it costs. */
async function hour(side) {
  const clients = await gather(side, await side.room("hour"), 10);
  clients.forEach(({ awareness }, n) => awareness.setLocalStateField("user", { name: `user ${n}` }));
  await pause(1000);
  const messages = metered();
  let keys = 0;
  for (const end = Date.now() + 60_000; Date.now() < end; await pause(200)) {
    for (const { document, awareness } of clients.slice(0, 2)) {
      const text = document.getText("content");
      text.insert(text.length, "x");
      awareness.setLocalStateField("cursor", text.length);
      keys++;
    }
  }
  const { in: received, out } = messages();
  for (const { end } of clients) end();
  const dollars = (count) => (count * 60 * PER_MESSAGE + 600 * PER_MINUTE).toFixed(3);
  const rest = (received * 60 * PER_CALL).toFixed(3);
  return `${keys * 60} keys, messages in ${received * 60}, out ${out * 60}: $${dollars(received + out)} at API Gateway, $${rest} for functions and tables; a relay of each key $${dollars(keys * 10)}`;
}

/** A tab nobody touches, alone in its document, for two minutes. */
async function idle(side) {
  const [client] = await gather(side, await side.room("idle"), 1);
  await pause(2000);
  const messages = metered();
  await pause(120_000);
  const { in: received, out } = messages();
  client.end();
  // Our socket says something every 8 minutes; two minutes show none of it.
  const minutes = 22 * 8 * 60;
  const dollars = ((received + out) / 2 + 2 / 8) * minutes * PER_MESSAGE + minutes * PER_MINUTE;
  return `messages in ${received}, out ${out} in two minutes: $${dollars.toFixed(4)} a month at API Gateway`;
}

const ROWS = {
  "latency, 2 clients": (side) => latency(side, 2),
  "latency, 50 clients": (side) => latency(side, 50),
  "latency while one of ten types fast": typing,
  [`${CROWD} clients with presence`]: crowd,
  [`${WRITERS} writers in one room`]: writers,
  [`${JOINERS} join a document of ${LARGE / 1e6} MB at once`]: largeJoin,
  "an hour of ten people, two typing": hour,
  "a tab nobody touches": idle,
};

const { dependencies } = JSON.parse(readFileSync(new URL("package.json", import.meta.url)));
const versions = Object.entries(dependencies).filter(([name]) => /yjs|hocuspocus/.test(name));
console.log(versions.map(([name, version]) => `${name} ${version}`).join(", "), `node ${process.version}`);

const wanted = process.argv.slice(2);
const isWanted = (row) => wanted.length === 0 || wanted.some((it) => row.includes(it));
for (const [row, measure] of Object.entries(ROWS).filter(([row]) => isWanted(row))) {
  console.log(`\n${row}`);
  for (const [name, start] of Object.entries(SIDES).filter(([name]) => name.includes(process.env.SIDE ?? ""))) {
    let side;
    try {
      side = await start();
      console.log(`  ${name}: ${await measure(side)}`);
    } catch (error) {
      console.log(`  ${name}: ${error.message}`);
    } finally {
      await side?.end();
    }
  }
}
rmSync(folder, { recursive: true });
process.exit(0);
