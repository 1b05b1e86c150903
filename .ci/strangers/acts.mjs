// What strangers, readers, editors and other tenants do: each act at one door, with one credential, until
// it is over. What an act needs is in its parameters, so that a program can be made shorter.
import { setTimeout as pause } from "node:timers/promises";
import { address } from "./addresses.mjs";
import { BINARY, NOISE, TEXT, deletions, frame, frameHead, handshake, head, marked, message, number, open, onMessages, parts, sections, sized, status, typed, values } from "./wire.mjs";

const ROOM = "acme/d/e";
/** How many sockets are opened at once. */
const AT_ONCE = 24;
/** Credentials that prove a user. */
const USERS = ["reader", "writer", "foreign"];
/** The largest piece that is written at once, and how often one is by who trickles, in ms. */
const PIECE = 256 * 1024;
/** Bytes that the kernel takes for a connection on which nobody reads. */
const UNREAD = 5_000_000;
const TRICKLE_MS = 100;
/** A text for `/live` in frames that are as large as one may be. */
const LONG = parts(NOISE.subarray(0, 4_000_000), 125);

/** The program that plays, as its acts see it. */
export class Scene {
  sockets = new Set();
  /** How often what was answered how. */
  answers = {};
  /** Clients whose changes were accepted, by the credential. */
  accepted = {};
  /** Bytes of large messages that were taken from users. */
  sent = {};
  isOver = false;

  constructor(cast) {
    this.cast = cast;
    this.port = cast.port;
  }

  open(port = this.port) {
    const socket = open(port);
    this.sockets.add(socket);
    socket.once("close", () => this.sockets.delete(socket));
    return socket;
  }

  note(what) {
    this.answers[what] = (this.answers[what] ?? 0) + 1;
  }

  end() {
    this.isOver = true;
    for (const socket of this.sockets) socket.destroy();
  }

  /** The token of a credential, of one of so many users after the other; none for who has none. Forged ones
   * name as many as there are. Those of a key that was disabled are signed, and refused. */
  token(credential, n = 0, users = 1) {
    const { target, foreign, gone } = this.cast;
    const tokens = { reader: target.readers, writer: target.writers, forged: target.forged, foreign: foreign.writers, revoked: gone.writers }[credential];
    return tokens?.[n % (credential === "forged" ? tokens.length : users)];
  }

  /** The path of a door of the live channel. */
  path(door, token) {
    const query = token ? `token=${token}` : "";
    return {
      y: `/live/y/${ROOM}?${query}`,
      large: `/live/y/acme/d/large?${query}`,
      crowd: `/live/y/acme/d/crowd?${query}`,
      begun: `/live/y/acme/d/begun?${query}`,
      page: `/live?protocol=y&room=${encodeURIComponent("acme/d/page")}&${query}`,
      missing: `/live?protocol=y&room=${encodeURIComponent("acme/d/missing")}&${query}`,
      hocuspocus: `/live/hocuspocus?${query}`,
      events: `/live?protocol=events&${query}`,
      frames: `/live?protocol=y&room=${encodeURIComponent(ROOM)}&${query}`,
      named: `/live?protocol=hocuspocus&${query}`,
      nonsense: `/live?protocol=nonsense&${query}`,
    }[door];
  }

  /** The headers of a call. */
  headers(credential, n, users) {
    const { target, foreign, fellow } = this.cast;
    const key = target.headers["x-service-api-key"];
    switch (credential) {
      case "none":
        return {};
      case "server":
        return foreign.headers;
      case "fellow":
        return fellow.headers;
      case "wrong":
        return { "x-service-api-key": key, "x-service-auth-token": forgedText(n) };
      case "invented":
        return { authorization: `Bearer ${target.readers[0]}`, "x-service-api-key": `invented-${n}` };
      default:
        return { authorization: `Bearer ${this.token(credential, n, users)}` };
    }
  }
}

const forgedText = (n) => `eyJhbGciOiJIUzI1NiJ9.e30.${n}`;

/** Does something at once for each number, so many at a time, until it is over. */
async function each(scene, count, parallel, does) {
  let next = 0;
  const work = async () => {
    while (next < count && !scene.isOver) await does(next++);
  };
  await Promise.all(Array.from({ length: Math.min(parallel, count) }, work));
}

/** Writes bytes as fast as they are taken, or so many a second; false when they are not. */
async function send(scene, socket, bytes, speed = 0) {
  const piece = speed > 0 ? Math.ceil((speed * TRICKLE_MS) / 1000) : PIECE;
  for (let at = 0; at < bytes.length; at += piece) {
    if (scene.isOver || socket.destroyed) return false;
    if (speed > 0) await pause(TRICKLE_MS);
    if (!socket.write(bytes.subarray(at, at + piece))) {
      await new Promise((resolve) => {
        const done = () => (socket.off("drain", done).off("close", done), resolve());
        socket.once("drain", done).once("close", done);
      });
    }
  }
  return !socket.destroyed;
}

/** Opens a connection of the live channel; none when it is refused. */
async function join(scene, path, from, hear) {
  const socket = scene.open();
  const opened = new Promise((resolve) => {
    socket.once("close", () => resolve(0));
    if (hear === undefined) return status(socket).then(resolve);
    onMessages(socket, (opcode, bytes) => (opcode === 0 ? resolve(Number(bytes)) : hear(opcode, bytes)));
  });
  socket.write(handshake(scene.port, path, from));
  const code = await opened;
  scene.note(`handshake ${code}`);
  if (code === 101) return socket;
  socket.destroy();
  return undefined;
}

/** A call on a connection that is kept; answers its status, 0 without one. */
async function exchange(scene, socket, request, body) {
  const answered = new Promise((resolve) => {
    let [text, left] = ["", undefined];
    const done = (code) => (socket.off("data", hear).off("close", end), resolve(code));
    const end = () => done(0);
    const hear = (data) => {
      if (left === undefined) {
        text += data.toString("latin1");
        const at = text.indexOf("\r\n\r\n");
        if (at < 0) return;
        left = Number(text.match(/content-length: (\d+)/i)?.[1] ?? 0) - (text.length - at - 4);
      } else left -= data.length;
      if (left <= 0) done(Number(text.split(" ")[1]));
    };
    socket.on("data", hear).once("close", end);
  });
  if (!(await send(scene, socket, Buffer.concat([Buffer.from(request, "latin1"), body])))) socket.destroy();
  const code = await answered;
  scene.note(code);
  return code;
}

/** What a client of an editor says, of about this size. */
function content(kind, name, size, n) {
  const filler = NOISE.subarray(n, n + size);
  switch (kind) {
    case "join":
      return message.vector(name, Buffer.from([0]));
    case "vector":
      // Each of another document, as far as a connection has so many.
      return message.vector(name && `${name}${n % 19}`, filler);
    case "name":
      return message.awareness(name && `${n}${filler}`, Buffer.concat([number(1), number(77), number(n + 1), sized("{}")]));
    case "sections":
      return message.update(name, sections(Math.floor(size / 3)));
    case "deletions":
      return message.update(name, deletions(Math.floor(size / 2)));
    case "text":
      return message.update(name, typed(9_000_000 + n, 0, filler));
    case "awareness":
      return message.awareness(name, Buffer.concat([number(1), number(77), number(n + 1), sized(JSON.stringify({ n, filler: String(filler) }))]));
    case "stateless":
      return message.stateless(name ?? "", filler);
    case "token":
      // For another document each, as long as a token may be.
      return message.token(`${name ?? ROOM}${n % 19}`.padEnd(2_300, "x"), filler.subarray(0, 8_000));
    default:
      return filler;
  }
}

/** The acts, by name. Each takes its parameters and the number of its stranger. */
export const ACTS = {
  /** Opens connections of the live channel again and again. */
  async shake(scene, { door, credential, users, network, parallel }, stranger) {
    await each(scene, Infinity, parallel, async (n) => {
      const socket = scene.open();
      const request = handshake(scene.port, scene.path(door, scene.token(credential, n, users)), address(network, stranger, n));
      let code;
      do code = await exchange(scene, socket, request, Buffer.alloc(0));
      while (!scene.isOver && code !== 101 && code !== 0);
      socket.destroy();
    });
  },

  /** Opens connections, says a token at most, or the beginning of a message, and stays. */
  async hold(scene, { door, credential, users, network, count, says }, stranger) {
    await each(scene, count, AT_ONCE, async (n) => {
      const isNamed = door === "hocuspocus";
      const token = scene.token(credential, n, users);
      const path = scene.path(door, says === "token" ? undefined : token);
      const socket = await join(scene, path, address(network, stranger, n));
      if (says === "token" && isNamed) socket?.write(frame(BINARY, message.token(ROOM, token ?? "none")));
      if (says === "half" && socket) await send(scene, socket, Buffer.concat([frameHead(BINARY, 16_000_000), NOISE.subarray(0, 100_000)]));
    });
  },

  /** Sends messages to a stock door on so many connections, whole or in part; reads all, or nothing. */
  async say(scene, { door, credential, users = 1, network, sockets, times, kind, size, part, speed, late, isDeaf }, stranger) {
    const isNamed = door === "hocuspocus";
    await each(scene, sockets, AT_ONCE, async (n) => {
      const token = scene.token(credential, n, users);
      const socket = await join(scene, scene.path(door, isNamed ? undefined : token), address(network, stranger, n), isDeaf ? undefined : ignore);
      if (!socket) return;
      if (isDeaf) socket.pause();
      let passed = 0;
      const pass = async () => {
        if (late) await pause(late);
        if (isNamed && token) {
          socket.write(frame(BINARY, message.token(ROOM, token)));
          await pause(50);
        }
        for (let time = 0; time < times; time++) {
          const bytes = content(kind, isNamed ? ROOM : undefined, size, time);
          const whole = Buffer.concat([frameHead(BINARY, bytes.length), bytes]);
          if (!(await send(scene, socket, whole.subarray(0, Math.ceil(whole.length * part)), speed))) return;
          scene.note("message");
          if (part < 1) return;
          if (bytes.length > 70_000 && USERS.includes(credential)) {
            const user = `${credential} ${n % users}`;
            const before = Math.max(0, passed - UNREAD);
            passed += bytes.length;
            scene.sent[user] = (scene.sent[user] ?? 0) + Math.max(0, passed - UNREAD) - before;
          }
        }
      };
      // The others do not wait for one whose message is not taken.
      pass().catch(ignore);
    });
  },

  /** Sends frames to `/live`, one after the other. */
  async frames(scene, { door, credential, users, network, sockets, kind, pace, reads }, stranger) {
    const at = (type) => JSON.stringify({ type, organizationId: "acme", documentId: "d" });
    const isNamed = door === "named";
    const name = isNamed ? ROOM : undefined;
    const text = (n) => {
      if (door === "events") return at(kind === "presence" && n > 0 ? "presence" : "subscribe");
      const one = (bytes) => bytes.toString("base64");
      if (kind === "deletion") return Array(200).fill(one(message.update(name, deletions(1)))).join(" ");
      return one(content(kind, name, kind === "awareness" ? 500 : 15_000, n));
    };
    await each(scene, sockets, AT_ONCE, async (n) => {
      const token = scene.token(credential, n, users);
      const socket = await join(scene, scene.path(door, isNamed ? undefined : token), address(network, stranger, n), reads ? ignore : undefined);
      if (!socket) return;
      if (!reads) socket.pause();
      const pass = async () => {
        if (isNamed && token) await send(scene, socket, frame(TEXT, Buffer.from(message.token(name, token).toString("base64"))));
        for (let m = 0; !scene.isOver; m++) {
          if (!(await send(scene, socket, kind === "parts" ? LONG : frame(TEXT, Buffer.from(text(m)))))) return;
          scene.note("frame");
          await pause(pace);
        }
      };
      pass().catch(ignore);
    });
  },

  /** Sends bodies, whole or in part. */
  async bodies(scene, { path, credential, users, network, sockets, size, part, speed }, stranger) {
    const body = Buffer.concat([Buffer.from('{"data":{"updates":["'), NOISE.subarray(0, size), Buffer.from('"]}}')]);
    await each(scene, sockets, sockets, async (n) => {
      const headers = { ...scene.headers(credential, n, users), "content-type": "application/json", "content-length": body.length };
      const request = head(scene.port, "POST", path, address(network, stranger, n), headers);
      for (let socket = scene.open(); !scene.isOver && !socket.destroyed; ) {
        if (part < 1 || speed > 0) {
          const sent = Buffer.concat([Buffer.from(request), body.subarray(0, Math.ceil(body.length * part))]);
          return void (await send(scene, socket, sent, speed));
        }
        await exchange(scene, socket, request, body);
        if (socket.destroyed) await pause(10);
      }
    });
  },

  /** Asks for a large state on so many connections, and reads nothing of it, or so many bytes a second. */
  async replies(scene, { credential, users, network, sockets, speed }, stranger) {
    const body = JSON.stringify({ data: { organizationId: "acme", documentId: "d", editorId: "large" } });
    await each(scene, sockets, AT_ONCE, async (n) => {
      const headers = { ...scene.headers(credential, n, users), "content-type": "application/json", "content-length": body.length };
      const socket = scene.open();
      socket.pause();
      if (speed > 0) sip(scene, socket, speed).catch(ignore);
      socket.write(head(scene.port, "POST", "/v2/crdt/state/get", address(network, stranger, n), headers).concat(body).repeat(3));
      await pause(20);
    });
  },

  /** Makes calls one after the other on so many connections. */
  async calls(scene, { path, credential, users, network, parallel, padding }, stranger) {
    const asked = { organizationId: "acme", documentId: "d", ...(path.startsWith("/v2/crdt") && { editorId: "large" }) };
    const body = Buffer.from(JSON.stringify({ data: asked }) + " ".repeat(padding));
    let n = 0;
    await each(scene, Infinity, parallel, async (caller) => {
      const socket = scene.open();
      while (!scene.isOver && !socket.destroyed) {
        const headers = { ...scene.headers(credential, n++, users), "content-type": "application/json", "content-length": body.length };
        await exchange(scene, socket, head(scene.port, "POST", path, address(network, stranger, caller), headers), body);
      }
      await pause(5);
    });
  },

  /** Appends changes of so many values to one editor, so many at the same time. */
  async appends(scene, { credential, parallel, count, size, rounds }, stranger) {
    const { port } = scene;
    for (let round = 0; round < rounds && !scene.isOver; round++) {
      await each(scene, parallel, parallel, async (n) => {
        const client = 1_000 * (stranger + 1) + round * 100 + n + 1;
        const change = values(client, count, size, client).toString("base64");
        const data = { organizationId: "acme", documentId: "d", editorId: scene.editor, updates: [change] };
        const body = Buffer.from(JSON.stringify({ data }));
        const headers = { ...scene.headers(credential, 0, 1), "content-type": "application/json", "content-length": body.length };
        const code = await exchange(scene, scene.open(), head(port, "POST", "/v2/crdt/updates/add", address("/32", stranger, n), headers), body);
        if (code === 200) (scene.accepted[credential] ??= []).push([client, count]);
      });
    }
  },

  /** Writes one mark above so many runs of text into an editor, and reads them as XML, by itself or in a list,
   * on so many connections. */
  async marks(scene, { credential, parallel, runs, size, isListed }, stranger) {
    const headers = { ...scene.headers(credential, 0, 1), "content-type": "application/json" };
    const call = (socket, path, n, data) => {
      const body = Buffer.from(JSON.stringify({ data: { organizationId: "acme", documentId: "d", ...data } }));
      const request = head(scene.port, "POST", path, address("/32", stranger, n), { ...headers, "content-length": body.length });
      return exchange(scene, socket, request, body);
    };
    const client = 5_000 + stranger;
    const { clock, update } = marked(client, runs, size);
    const code = await call(scene.open(), "/v2/crdt/updates/add", 0, { editorId: scene.editor, updates: [update.toString("base64")] });
    if (code === 200) (scene.accepted[credential] ??= []).push([client, clock]);
    const asked = { contentKey: "default", ...(!isListed && { editorId: scene.editor }) };
    await each(scene, Infinity, parallel, async (n) => {
      for (const socket = scene.open(); !scene.isOver && !socket.destroyed; ) await call(socket, "/v2/crdt/get", n, asked);
      await pause(5);
    });
  },

  /** Sends changes that lack others to an editor that nobody has begun, again and again. */
  async lacks(scene, { credential, users, network, sockets }, stranger) {
    const change = typed(8_000_000 + stranger, 5, "x");
    const said = frame(TEXT, Buffer.from(message.update(undefined, change).toString("base64")));
    await each(scene, Infinity, sockets, async (n) => {
      const path = scene.path("missing", scene.token(credential, n, users));
      const socket = await join(scene, path, address(network, stranger, n), ignore);
      if (!socket) return pause(50);
      const closed = new Promise((resolve) => socket.once("close", resolve));
      for (let m = 0; m < 4; m++) await send(scene, socket, said);
      await Promise.race([closed, pause(1_000)]);
      socket.destroy();
    });
  },

  /** Speaks for clients under which others are about to type. */
  async claims(scene, { credential, network, sockets }, stranger) {
    await each(scene, sockets, AT_ONCE, async (n) => {
      const socket = await join(scene, scene.path("begun", scene.token(credential)), address(network, stranger, n), ignore);
      socket?.write(frame(BINARY, message.awareness(undefined, Buffer.concat([number(1), number(scene.next + n), number(1), sized("{}")]))));
    });
  },

  /** Fills a room of its own, whose members type. */
  async crowd(scene, { credential, users, network, sockets, pace }, stranger) {
    await each(scene, sockets, AT_ONCE, async (n) => {
      const socket = await join(scene, scene.path("crowd", scene.token(credential, n, users)), address(network, stranger, n), ignore);
      if (!socket) return;
      const pass = async () => {
        await send(scene, socket, frame(BINARY, content("join", undefined, 0, n)));
        const client = 100_000 * (stranger + 1) + Math.floor(Math.random() * 90_000);
        for (let clock = 0; !scene.isOver; clock++) {
          await pause(pace * (0.5 + Math.random()));
          if (!(await send(scene, socket, frame(BINARY, message.update(undefined, typed(client, clock, "x")))))) return;
          scene.note("stroke");
        }
      };
      pass().catch(ignore);
    });
  },

  /** Opens connections to the metrics, and sends nothing, half a request, or one after the other. */
  async scrapes(scene, { count, kind }) {
    const { metrics } = scene.cast;
    const request = head(metrics, "GET", "/metrics");
    await each(scene, count, count, async () => {
      const socket = scene.open(metrics);
      if (kind === "half") socket.write(request.slice(0, -10));
      while (kind === "whole" && !scene.isOver && !socket.destroyed) await exchange(scene, socket, request, Buffer.alloc(0));
      await new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
      scene.note("connection");
    });
  },

  /** Sends heads of requests: unfinished, as large as they may be, or of so many headers. */
  async heads(scene, { kind, count, network, size }, stranger) {
    await each(scene, count, AT_ONCE, async (n) => {
      const socket = scene.open();
      const key = kind === "huge" ? { "x-service-api-key": `${n}-${NOISE.subarray(0, size)}` } : {};
      const more = kind === "many" ? Object.fromEntries(Array.from({ length: 90 }, (_, m) => [`x-${m}`, n])) : {};
      const request = head(scene.port, "POST", "/v2/organizations/get", address(network, stranger, n), { ...key, ...more, "content-length": 2 });
      if (kind === "half") socket.write(request.slice(0, -10));
      else await exchange(scene, socket, request, Buffer.from("{}"));
    });
  },

  /** Reads pages one after the other on so many connections. */
  async pages(scene, { path, parallel, network }, stranger) {
    await each(scene, Infinity, parallel, async (n) => {
      const socket = scene.open();
      while (!scene.isOver && !socket.destroyed) await exchange(scene, socket, head(scene.port, "GET", path, address(network, stranger, n)), Buffer.alloc(0));
      await pause(5);
    });
  },
};

/** Reads so many bytes a second. */
async function sip(scene, socket, speed) {
  while (!scene.isOver && !socket.destroyed) {
    await pause(TRICKLE_MS);
    socket.read(Math.ceil((speed * TRICKLE_MS) / 1000)) ?? socket.read();
  }
}

const ignore = () => {};
