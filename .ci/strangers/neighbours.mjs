// The process of those whom nobody may hold up: users of the attacked tenant and of another one. It does
// their work at a steady pace while it is asked to, and tells how long everything took.
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { BINARY, NOISE, frame, handshake, kindOf, message, numbers, onMessages, open, sized, number, typed } from "./wire.mjs";

const ROOM = "acme/d/e";
/** The room of those who begin, which has ever more clients. */
const BEGUN = "acme/d/begun";
/** When what is done counts as lost. */
const LATEST_MS = 20_000;
/** Clients of these users, whose numbers no attacker has. */
let clients = 1_000_000;
/** How many users only read. */
const READERS = 2;
/** A change that is too large for the function of the live channel. */
const LARGE_CHANGE = 120_000;

const now = () => performance.now();

/** The highest clock that a change of texts reaches, by client. */
function reached(update) {
  const next = numbers(update);
  const text = () => {
    const bytes = Buffer.alloc(next());
    return bytes.map(() => next.byte());
  };
  const clocks = new Map();
  for (let left = next(); left > 0; left--) {
    const [structs, client] = [next(), next()];
    let clock = next();
    for (let n = 0; n < structs; n++) {
      const info = next.byte();
      if (info & 0x80) next(), next();
      else if (next() === 1) text();
      clock += text().length;
    }
    clocks.set(client, clock);
  }
  return clocks;
}

/** A user on a connection of a stock provider, which is opened again when it was closed. */
class Peer {
  constructor(work, token, from, door = "y") {
    Object.assign(this, { work, token, from, door, waiting: [] });
  }

  /** Opens it, and waits until the service has said what the user lacks. */
  async open() {
    const isNamed = this.door !== "y";
    const path = isNamed ? `/live/hocuspocus${this.door === "late" ? "" : `?token=${this.token}`}` : `/live/y/${this.room ?? ROOM}?token=${this.token}`;
    this.socket = open(this.work.port);
    onMessages(this.socket, (opcode, bytes) => {
      const kind = opcode === 0 ? `status ${bytes}` : opcode === 8 ? `closed ${bytes.length > 1 ? bytes.readUInt16BE() : ""}` : kindOf(bytes, isNamed);
      this.waiting = this.waiting.filter((waits) => !waits(kind, bytes));
    });
    this.closed = new Promise((_, reject) => this.socket.once("close", () => reject(new Error("closed"))));
    this.closed.catch(() => (this.waiting = this.waiting.filter((waits) => !waits("closed", undefined))));
    const opened = this.hears((kind) => kind.startsWith("status"));
    this.socket.write(handshake(this.work.port, path, this.from));
    const answer = await opened;
    if (answer !== "status 101") throw new Error(answer);
    const name = isNamed ? ROOM : undefined;
    if (isNamed) {
      const heard = this.hears((kind) => kind === "authenticated" || kind === "denied");
      this.say(message.token(name, this.token));
      if ((await heard) !== "authenticated") throw new Error("the token is denied");
    }
    const heard = this.hears((kind) => kind === "step 2");
    this.say(message.vector(name, Buffer.from([0])));
    await heard;
    return this;
  }

  say(bytes) {
    this.socket.write(frame(BINARY, bytes));
  }

  /** Waits for a message; fails when the connection ends before it. */
  hears(is) {
    return new Promise((resolve, reject) => {
      this.waiting.push((kind, bytes) => {
        if (is(kind, bytes)) return resolve(kind), true;
        if (kind.startsWith("closed")) return reject(new Error(kind)), true;
        return false;
      });
    });
  }

  close() {
    this.socket?.destroy();
    this.waiting = [];
  }
}

/** The work of a tenant. */
class Work {
  #turn = 0;
  peers = new Map();
  /** What was stored: the clock of each client that typed. */
  typed = new Map();

  constructor(port, tenant, from) {
    Object.assign(this, { port, tenant, from });
  }

  /** A user who opens editors. */
  get #user() {
    return this.tenant.users[this.#turn++ % (this.tenant.users.length - READERS)];
  }

  /** A user who only reads, and so waits for no call of their own. */
  get #reader() {
    return this.tenant.users.at(-1 - (this.#turn++ % READERS));
  }

  /** A connection that stays. */
  async #peer(name, user, door, room) {
    let peer = this.peers.get(name);
    if (peer?.socket && !peer.socket.destroyed) return peer;
    const token = this.tenant.users[user];
    peer = Object.assign(new Peer(this, token, this.from, door), { client: clients++, clock: 0, room });
    this.peers.set(name, peer);
    return peer.open();
  }

  async post(path, headers, data, padding = 0) {
    const init = () => ({
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": this.from, ...headers },
      body: JSON.stringify({ data }) + " ".repeat(padding),
    });
    const url = `http://127.0.0.1:${this.port}${path}`;
    // A connection that was idle may have made room.
    const reply = await fetch(url, init()).catch(() => fetch(url, init()));
    await reply.arrayBuffer();
    if (!reply.ok) throw new Error(String(reply.status));
  }

  get #editor() {
    return { organizationId: "acme", documentId: "d", editorId: "small" };
  }

  /** A user reads. */
  read() {
    return this.post("/v2/crdt/state/get", { authorization: `Bearer ${this.#reader}` }, this.#editor);
  }

  /** The server of the tenant sends a body that is not small. */
  body() {
    return this.post("/v2/crdt/state/get", this.tenant.headers, this.#editor, 40_000);
  }

  /** A user types a letter, and another one sees it. */
  async stroke() {
    const reader = await this.#peer("reader", 0);
    const turn = this.#turn++ % 4;
    const writer = await this.#peer(`writer ${turn}`, 1 + turn);
    await this.#types(writer, reader).catch((error) => {
      this.peers.delete(`writer ${turn}`);
      throw error;
    });
    this.typed.set(writer.client, writer.clock);
  }

  /** A user types on a new connection, under a client that nobody has seen before. */
  async begin() {
    const reader = await this.#peer("watcher", 9, "y", BEGUN);
    const writer = Object.assign(new Peer(this, this.#user, this.from), { client: clients++, clock: 0, room: BEGUN });
    await writer.open().then(() => this.#types(writer, reader)).finally(() => writer.close());
  }

  async #types(writer, reader) {
    const { client, clock } = writer;
    const seen = reader.hears((kind, bytes) => kind === "update" && (reached(payload(bytes)).get(client) ?? 0) > clock);
    writer.clock++;
    writer.say(message.update(undefined, typed(client, clock, "x")));
    // What was not stored is missing to everything that the client types later.
    await Promise.race([seen, writer.closed]).catch((error) => {
      seen.catch(() => {});
      throw error;
    });
  }

  /** A user opens an editor. */
  async join() {
    const peer = new Peer(this, this.#user, this.from);
    await peer.open().finally(() => peer.close());
  }

  /** A user opens an editor with a token that comes in a message, as the provider of Hocuspocus does. */
  async arrive() {
    const peer = new Peer(this, this.#user, this.from, "late");
    await peer.open().finally(() => peer.close());
  }

  /** A user opens a large editor. */
  async large() {
    const peer = Object.assign(new Peer(this, this.#user, this.from), { room: "acme/d/medium" });
    await peer.open().finally(() => peer.close());
  }

  /** A user sends a change that is too large for a frame, such as one that was made offline. */
  async change() {
    const turn = this.#turn++ % 4;
    const writer = await this.#peer(`sender ${turn}`, 5 + turn, "hocuspocus");
    const saved = writer.hears((kind) => kind === "saved" || kind === "refused");
    // The same change again and again, so that the editor does not grow.
    const text = NOISE.subarray(0, LARGE_CHANGE);
    const client = 500 + turn;
    const change = Buffer.concat([number(1), number(1), number(client), number(0), Buffer.from([0x04, 1]), sized("pasted"), sized(text), number(0)]);
    writer.say(message.update(ROOM, change));
    if ((await saved) !== "saved") throw new Error("refused");
  }

  /** Who watches the service asks whether it is there. */
  async probe() {
    const reply = await fetch(`http://127.0.0.1:${this.port}/health`, { headers: { connection: "close" } });
    if (reply.status !== 200) throw new Error(String(reply.status));
  }
}

/** The change in a message of y-websocket. */
function payload(bytes) {
  const next = numbers(bytes.subarray(2));
  const length = next();
  return bytes.subarray(bytes.length - length);
}

/** What is done by whom, and how often, in ms. */
const PACES = {
  target: { read: 60, stroke: 120, begin: 1_500, join: 600, arrive: 600, large: 600, change: 600, body: 400 },
  other: { read: 60, stroke: 120, join: 600, body: 400, probe: 200 },
};
/** Who has waited rests for so many times as long, so that their work alone fills no slow machine. */
const REST = 3;

let phase;
let works;

/** Does one thing again and again while it is asked for: at its own times, since at once a few calls of one
 * tenant wait for each other. */
async function repeat(name, every, does) {
  for (let next = now() + Math.random() * every; ; ) {
    await pause(Math.max(0, next - now()));
    if (!phase) {
      next = now() + every;
      continue;
    }
    const began = now();
    const mine = phase;
    mine.open.set(name, began);
    const timer = new Promise((_, reject) => setTimeout(() => reject(new Error("not in time")), LATEST_MS).unref());
    const error = await Promise.race([does(), timer]).then(() => undefined, (it) => it);
    mine.open.delete(name);
    if (error) mine.failures.push(`${name}: ${error.message}`);
    else (mine.took[name] ??= []).push(now() - began);
    next = Math.max(began + every, now() + REST * (now() - began));
  }
}

process.on("message", ({ cast, begin }) => {
  if (cast) {
    works = { target: new Work(cast.port, cast.target, "8.8.8.8"), other: new Work(cast.port, cast.other, "8.8.4.4") };
    for (const [who, paces] of Object.entries(PACES)) {
      for (const [what, every] of Object.entries(paces)) repeat(`${who} ${what}`, every, () => works[who][what]());
    }
  } else if (begin) {
    phase = { open: new Map(), took: {}, failures: [] };
  } else {
    const { took, failures, open: unfinished } = phase;
    phase = undefined;
    // Who waits now has waited for so long already.
    const waits = Object.fromEntries([...unfinished].map(([name, began]) => [name, now() - began]));
    const typed = Object.fromEntries(Object.entries(works).map(([who, work]) => [who, [...work.typed]]));
    process.send({ took, failures, waits, typed, next: clients });
  }
});
process.on("disconnect", () => process.exit());
