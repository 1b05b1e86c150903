// The live channel beside @hocuspocus/server, in one run on one machine: latency, many clients with
// presence, join of a large document; and what AWS would charge for. Prints a table.
import { fork, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { HOCUSPOCUS_PORT, KINDS, metered } from "./clients.mjs";
import { BASE, Service, Tenant, eventually } from "./service.mjs";

const CROWD = Number(process.env.CROWD ?? 500);
const WRITERS = Number(process.env.WRITERS ?? 200);
const LARGE = Number(process.env.LARGE_MB ?? 3) * 1_000_000;
const JOINERS = Number(process.env.JOINERS ?? 30);
const CALLERS = Number(process.env.CALLERS ?? 2);
const MINUTES = Number(process.env.MINUTES ?? 10);
/** List prices of API Gateway in us-east-1, in dollars. */
const PER_MESSAGE = 1e-6;
const PER_MINUTE = 0.25e-6;
/** Of a message that comes in: a call of a function (20 ms of 512 MB on arm64), 2 write and 2 read units. */
const PER_CALL = 0.2e-6 + 0.02 * 0.5 * 13.3334e-6 + 2 * 0.625e-6 + 2 * 0.125e-6;

/** A server of Hocuspocus and its stock clients. */
async function hocuspocus(file) {
  const path = new URL("hocuspocus.mjs", import.meta.url).pathname;
  const child = spawn(process.execPath, [path, String(HOCUSPOCUS_PORT), ...(file ? [file] : [])], { stdio: "ignore" });
  await eventually("Hocuspocus answers", () => fetch(`http://127.0.0.1:${HOCUSPOCUS_PORT}`).then(() => true, () => false));
  return { kind: "Hocuspocus", room: async (name) => name, token: () => "any", pid: child.pid, end: async () => child.kill() };
}

/** The service with clients of a kind. */
async function roundtable(kind) {
  const service = await new Service().start();
  const tenant = await Tenant.make(service);
  // The last places of a full room are for users who have none there.
  const tokens = [];
  for (let n = 0; n <= Math.max(CROWD, WRITERS, JOINERS); n++) tokens.push(await tenant.token(`user-${n}`));
  const state = { authorization: `Bearer ${tokens[0]}` };
  let count = 0;
  return { kind, state, room: (name) => tenant.editor(name), token: () => tokens[count++ % tokens.length], pid: service.pid, end: () => service.end() };
}

/** A figure of the memory of a process, in MB: the most it ever had is `VmHWM`. */
function memoryOf(pid, figure = "VmHWM") {
  const [, kilobytes] = readFileSync(`/proc/${pid}/status`, "utf8").match(new RegExp(`${figure}:\\s+(\\d+)`));
  return Math.round(kilobytes / 1000);
}

/** Seconds of processors that a process has used. */
function processors(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Processes of clients; what they and the server use of processors from `began` on. */
class Callers {
  constructor(side, count = CALLERS) {
    this.side = side;
    this.callers = Array.from({ length: count }, () => new Caller());
  }

  ask(name, values) {
    return Promise.all(this.callers.map((caller, n) => caller.ask(name, typeof values === "function" ? values(n) : values)));
  }

  /** So many clients, the same number in each process, join a room. */
  async join(room, size) {
    const { side } = this;
    await this.ask("join", (n) => ({ kind: side.kind, room, tokens: tokensOf(side, this.part(size, n)) }));
  }

  part(size, n) {
    return Math.floor(size / this.callers.length) + (n < size % this.callers.length ? 1 : 0);
  }

  begin() {
    const pids = [this.side.pid, ...this.callers.map(({ pid }) => pid)];
    this.before = { at: performance.now(), used: pids.map(processors) };
  }

  /** The shares of processors since then, in percent of one. */
  shares() {
    const seconds = (performance.now() - this.before.at) / 1000;
    const pids = [this.side.pid, ...this.callers.map(({ pid }) => pid)];
    const [server, ...callers] = pids.map((pid, n) => Math.round(((processors(pid) - this.before.used[n]) / seconds) * 100));
    return `processors: server ${server} %, callers ${callers.join(" + ")} %`;
  }

  async sum(name, values) {
    return (await this.ask(name, values)).reduce((sum, it) => sum + it, 0);
  }

  async times() {
    return (await this.ask("times")).flat();
  }

  async counted() {
    const all = await this.ask("counted");
    return all.reduce((sum, it) => ({ in: sum.in + it.in, out: sum.out + it.out }));
  }

  async end() {
    await this.ask("end");
    for (const { child } of this.callers) child.disconnect();
  }
}

class Caller {
  #asked = new Map();
  #count = 0;

  constructor() {
    this.child = fork(new URL("caller.mjs", import.meta.url).pathname);
    this.pid = this.child.pid;
    this.child.on("message", ({ id, result, error }) => {
      const { resolve, reject } = this.#asked.get(id);
      this.#asked.delete(id);
      if (error) reject(new Error(error));
      else resolve(result);
    });
  }

  ask(name, values) {
    const id = this.#count++;
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject });
      this.child.send({ id, name, values });
    });
  }
}

const tokensOf = (side, size) => Array.from({ length: size }, () => side.token());

const folder = mkdtempSync(join(tmpdir(), "bench-live-"));
const SIDES = {
  "Hocuspocus, in memory": () => hocuspocus(),
  "Hocuspocus, SQLite": () => hocuspocus(join(folder, "hocuspocus.sqlite")),
  ...Object.fromEntries(
    Object.keys(KINDS).filter((kind) => kind !== "Hocuspocus").map((kind) => [`Roundtable, ${kind}`, () => roundtable(kind)]),
  ),
};

const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
function figures(times) {
  const sorted = [...times].sort((a, b) => a - b);
  return `p50 ${at(sorted, 0.5).toFixed(1)} ms, p95 ${at(sorted, 0.95).toFixed(1)} ms, p99 ${at(sorted, 0.99).toFixed(1)} ms`;
}

/** Clients in this process, for what is counted. */
async function gather(side, room, size) {
  const clients = [];
  for (let n = 0; n < size; n++) clients.push(KINDS[side.kind](room, side.token()));
  await eventually(`${size} clients are synced`, () => clients.every((it) => it.isSynced()), 120);
  return clients;
}

/** Waits until strokes have reached others, and says how long they took, and how many did not. */
async function arrived(callers, wanted) {
  await eventually("every stroke arrives", async () => (await callers.sum("seen")) >= wanted, 60).catch(() => {});
  const shares = callers.shares();
  const times = await callers.times();
  return `${figures(times)}, ${wanted - times.length} lost; ${shares}`;
}

/** Somebody writes, and others, who are in another process, see it. */
async function latency(side, size, strokes, everyMs) {
  const room = await side.room(`latency ${size}`);
  const [writer, readers] = [new Callers(side, 1), new Callers(side, Math.max(1, CALLERS - 1))];
  await writer.join(room, 1);
  await readers.join(room, size - 1);
  await readers.ask("watch", {});
  await pause(1000);
  readers.begin();
  await writer.ask("write", { strokes, everyMs });
  const result = await arrived(readers, strokes * (size - 1));
  await Promise.all([writer.end(), readers.end()]);
  return result;
}

async function crowd(side) {
  const began = performance.now();
  const [room, callers] = [await side.room("crowd"), new Callers(side)];
  await callers.join(room, CROWD);
  await callers.ask("present", (n) => ({ from: n * CROWD }));
  const seeing = () => callers.sum("see", { all: CROWD });
  await eventually("all are seen by all", async () => (await seeing()) === CROWD, 120).catch(() => {});
  const seen = await seeing();
  const there = performance.now() - began;
  await callers.ask("watch", {});
  callers.begin();
  const [writer] = callers.callers;
  await writer.ask("write", { strokes: 20, everyMs: 1100, writers: 1 });
  const result = await arrived(callers, 20 * (CROWD - 1));
  await callers.end();
  return `${seen} of ${CROWD} see all after ${(there / 1000).toFixed(1)} s; strokes ${result}; process ${memoryOf(side.pid)} MB`;
}

/** All write, one after the other, each once in two seconds: from a stroke to the screens of five of them. */
async function writers(side) {
  const [room, callers, rounds] = [await side.room("writers"), new Callers(side), 10];
  await callers.join(room, WRITERS);
  const watchers = callers.callers.map((_, n) => Math.floor((5 + n) / callers.callers.length));
  await callers.ask("watch", (n) => ({ most: watchers[n] }));
  await pause(1000);
  await callers.ask("count");
  callers.begin();
  await callers.ask("write", (n) => ({ strokes: rounds * callers.part(WRITERS, n), everyMs: 2000 / callers.part(WRITERS, n) }));
  const count = watchers.reduce((sum, it) => sum + it, 0);
  const result = await arrived(callers, rounds * (WRITERS * count - count));
  const { in: received, out } = await callers.counted();
  await callers.end();
  return `${result}; messages in ${received}, out ${out}; process ${memoryOf(side.pid)} MB`;
}

/** Many move their cursors, each once in five seconds: the memory of the server, minute by minute. */
async function cursors(side) {
  const [room, callers, memory] = [await side.room("cursors"), new Callers(side), []];
  await callers.join(room, CROWD);
  await callers.ask("present", (n) => ({ from: n * CROWD }));
  callers.begin();
  await callers.ask("move", { everyMs: 5000 });
  for (let minute = 0; minute <= MINUTES; minute++) {
    memory.push(memoryOf(side.pid, "VmRSS"));
    if (minute < MINUTES) await pause(60_000);
  }
  const shares = callers.shares();
  await callers.end();
  return `memory by the minute ${memory.join(", ")} MB; ${shares}`;
}

async function largeJoin(side) {
  const [room, writer, callers] = [await side.room("large"), new Callers(side, 1), new Callers(side)];
  await writer.join(room, 1);
  const [length] = await writer.ask("fill", { bytes: LARGE });
  await pause(2000);
  await callers.ask("count");
  callers.begin();
  await callers.ask("open", (n) => ({ kind: side.kind, room, tokens: tokensOf(side, callers.part(JOINERS, n)), length }));
  const shares = callers.shares();
  const { out } = await callers.counted();
  const times = await callers.times();
  await Promise.all([writer.end(), callers.end()]);
  const replies = side.state ? await statesOf(room, side.state) : "";
  return `${figures(times)}; messages out ${out}; ${shares}; process ${memoryOf(side.pid)} MB${replies}`;
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
  "latency, 2 clients": (side) => latency(side, 2, 100, 50),
  // Those of fast typing among many are gathered.
  "latency, 50 clients": (side) => latency(side, 50, 30, 1100),
  "latency while one of ten types fast": (side) => latency(side, 10, 100, 200),
  [`${CROWD} clients with presence`]: crowd,
  [`${WRITERS} writers in one room`]: writers,
  [`${CROWD} people move their cursors for ${MINUTES} minutes`]: cursors,
  [`${JOINERS} join a document of ${LARGE / 1e6} MB at once`]: largeJoin,
  "an hour of ten people, two typing": hour,
  "a tab nobody touches": idle,
};

/** What takes long is measured when it is named. */
const LONG = ["move their cursors"];

const { dependencies } = JSON.parse(readFileSync(new URL("package.json", import.meta.url)));
const versions = Object.entries(dependencies).filter(([name]) => /yjs|hocuspocus/.test(name));
console.log(versions.map(([name, version]) => `${name} ${version}`).join(", "), `node ${process.version}`);

const wanted = process.argv.slice(2);
const isWanted = (row) => (wanted.length === 0 ? !LONG.some((it) => row.includes(it)) : wanted.some((it) => row.includes(it)));
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
