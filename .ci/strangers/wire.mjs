// Bytes on connections: requests of HTTP, handshakes and frames of WebSockets, messages of editors.
// Nothing of a client library, because a stranger keeps no rule.
import { connect } from "node:net";
import { randomBytes } from "node:crypto";

/** Who has never sent a whole request, or sends too much, is closed by the service: no error here. */
const ignore = () => {};

/** Bytes that nothing compresses, and text that compresses badly, to cut payloads from. */
const RANDOM = randomBytes(13 * 1024 * 1024);
export const NOISE = Buffer.from(RANDOM.toString("base64"), "latin1");

/** A connection to the gateway, or to another port of the service. */
export function open(port) {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  socket.on("error", ignore);
  return socket;
}

/** The head of a request, whose sender a trusted proxy names. */
export function head(port, method, path, from, headers = {}) {
  const all = { host: `127.0.0.1:${port}`, ...(from && { "x-forwarded-for": from }), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

/** The head of a handshake. */
export function handshake(port, path, from) {
  const headers = { connection: "upgrade", upgrade: "websocket", "sec-websocket-version": 13, "sec-websocket-key": "MDEyMzQ1Njc4OWFiY2RlZg==" };
  return head(port, "GET", path, from, headers);
}

/** Waits for the status of a reply; 0 when there is none. What follows it stays unread. */
export function status(socket) {
  return new Promise((resolve) => {
    let text = "";
    const hear = (data) => {
      text += data.toString("latin1");
      if (text.includes("\r\n\r\n")) done(Number(text.split(" ")[1]));
    };
    const end = () => done(0);
    const done = (code) => {
      socket.off("data", hear).off("close", end);
      resolve(code);
    };
    socket.on("data", hear).once("close", end);
  });
}

/** The head of a frame of a client. Its mask is zero, so that content needs no work. */
export function frameHead(opcode, length, isLast = true) {
  const bytes = [(isLast ? 0x80 : 0) | opcode];
  if (length < 126) bytes.push(0x80 | length);
  else if (length < 65_536) bytes.push(0x80 | 126, length >> 8, length & 255);
  else bytes.push(0x80 | 127, 0, 0, 0, 0, (length >>> 24) & 255, (length >> 16) & 255, (length >> 8) & 255, length & 255);
  return Buffer.from([...bytes, 0, 0, 0, 0]);
}

/** A frame as a whole. */
export const frame = (opcode, content) => Buffer.concat([frameHead(opcode, content.length), content]);
/** A text in so many frames. */
export function parts(content, count) {
  const size = Math.ceil(content.length / count);
  const part = (n) => content.subarray(n * size, (n + 1) * size);
  return Buffer.concat(Array.from({ length: count }, (_, n) => [frameHead(n === 0 ? TEXT : 0, part(n).length, n === count - 1), part(n)]).flat());
}
export const TEXT = 1;
export const BINARY = 2;

/** Calls `hear` with each message of the service: its opcode and content. */
export function onMessages(socket, hear) {
  let rest = Buffer.alloc(0);
  let isOpen = false;
  socket.on("data", (data) => {
    rest = rest.length > 0 ? Buffer.concat([rest, data]) : data;
    if (!isOpen) {
      const end = rest.indexOf("\r\n\r\n");
      if (end < 0) return;
      isOpen = true;
      hear(0, Buffer.from(rest.subarray(9, 12)));
      rest = rest.subarray(end + 4);
    }
    for (;;) {
      if (rest.length < 2) return;
      let [length, at] = [rest[1] & 127, 2];
      if (length === 126) [length, at] = [rest.length < 4 ? Infinity : rest.readUInt16BE(2), 4];
      else if (length === 127) [length, at] = [rest.length < 10 ? Infinity : Number(rest.readBigUInt64BE(2)), 10];
      if (rest.length < at + length) return;
      hear(rest[0] & 15, rest.subarray(at, at + length));
      rest = rest.subarray(at + length);
    }
  });
}

/** A number as lib0 writes it. */
export function number(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return Buffer.from([...bytes, value]);
}

/** Bytes or a text with their length before them. */
export function sized(content) {
  const bytes = Buffer.from(content);
  return Buffer.concat([number(bytes.length), bytes]);
}

/** Reads numbers as lib0 writes them, one with each call, and bytes. */
export function numbers(bytes) {
  let at = 0;
  const byte = () => {
    if (at >= bytes.length) throw new Error("The bytes end too early.");
    return bytes[at++];
  };
  const next = () => {
    for (let value = 0, unit = 1; ; unit *= 128) {
      const more = byte();
      value += (more & 127) * unit;
      if (more < 128) return value;
    }
  };
  return Object.assign(next, { byte });
}

/** The clock of each client in a state vector. */
export function clocks(vector) {
  const next = numbers(vector);
  return new Map(Array.from({ length: next() }, () => [next(), next()]));
}

const SYNC = 0;
/** Messages of an editor; `name` is that of Hocuspocus, and absent in y-websocket. */
export const message = {
  vector: (name, vector) => Buffer.concat([named(name), Buffer.from([SYNC, 0]), sized(vector)]),
  update: (name, update) => Buffer.concat([named(name), Buffer.from([SYNC, 2]), sized(update)]),
  awareness: (name, states) => Buffer.concat([named(name), Buffer.from([1]), sized(states)]),
  token: (name, token) => Buffer.concat([named(name), Buffer.from([2, 0]), sized(token), sized("4.8.0")]),
  stateless: (name, text) => Buffer.concat([named(name), Buffer.from([5]), sized(text)]),
};

const named = (name) => (name === undefined ? Buffer.alloc(0) : sized(name));

/** What a message of the service is: `"step 2"`, `"update"`, `"saved"`, `"refused"` or another. */
export function kindOf(bytes, isNamed) {
  const at = isNamed ? numbers(bytes)() + 1 : 0;
  const [kind, step] = [bytes[at], bytes[at + 1]];
  if (kind === SYNC || kind === 4) return ["step 1", "step 2", "update"][step];
  if (kind === 8) return step === 1 ? "saved" : "refused";
  if (kind === 2) return step === 2 ? "authenticated" : "denied";
  return "other";
}

/** A change that puts a text at the end of what a client has written into `content`. */
export function typed(client, clock, text) {
  const origin = clock === 0 ? [Buffer.from([0x04, 1]), sized("content")] : [Buffer.from([0x84]), number(client), number(clock - 1)];
  return Buffer.concat([number(1), number(1), number(client), number(clock), ...origin, sized(text), number(0)]);
}

/** A change of so many binary values of so many bytes each: one item in an array for each. */
export function values(client, count, size, seed) {
  const items = Array.from({ length: count }, (_, n) => {
    const origin = n === 0 ? [Buffer.from([0x03, 1]), sized("values")] : [Buffer.from([0x83]), number(client), number(n - 1)];
    const start = (seed * 7919 + n * 104_729) % (RANDOM.length - size);
    return Buffer.concat([...origin, sized(RANDOM.subarray(start, start + size))]);
  });
  return Buffer.concat([number(1), number(count), number(client), number(0), ...items, number(0)]);
}

/** A change of so many runs of text in `default`, all below one mark of so many bytes. */
export function marked(client, runs, size) {
  const mark = (name, value) => Buffer.concat([sized(name), sized(JSON.stringify(value))]);
  const items = [
    Buffer.concat([Buffer.from([0x07, 1]), sized("default"), Buffer.from([6])]),
    Buffer.concat([Buffer.from([0x06, 0]), number(client), number(0), mark("comment", { text: String(NOISE.subarray(0, size)) })]),
  ];
  const behind = (kind, ...content) => items.push(Buffer.concat([Buffer.from([0x80 | kind]), number(client), number(items.length - 1), ...content]));
  for (let run = 0; run < runs; run++) {
    behind(0x04, sized("x"));
    behind(0x06, mark("bold", run % 2 === 0 ? true : null));
  }
  return { clock: items.length, update: Buffer.concat([number(1), number(items.length), number(client), number(0), ...items, number(0)]) };
}

/** A change of so many clients with nothing. */
export function sections(count) {
  const bytes = Buffer.alloc(count * 3);
  for (let n = 0; n < count; n++) bytes[n * 3 + 1] = n & 127;
  return Buffer.concat([number(count), bytes, number(0)]);
}

/** A change of so many deletions of one client. */
export function deletions(count) {
  return Buffer.concat([number(0), number(1), number(7), number(count), Buffer.alloc(count * 2, 1)]);
}
