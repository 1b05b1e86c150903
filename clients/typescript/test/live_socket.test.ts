import assert from "node:assert/strict";
import { type TestContext, afterEach, beforeEach, mock, test } from "node:test";

import { RoundtableSocket, type SocketOptions, isPermanent, roomOf, roundtableSocket } from "roundtable/live";

import { fromBase64 } from "../dist/live/base64.js";
import { type Client, awareness } from "../dist/live/messages.js";
import { Writer } from "../dist/live/varint.js";
import { Fake, FakeSocket, settled } from "./fake.js";

const ROOM = roomOf({ organizationId: "a/b", documentId: "d 1", editorId: "ü" });
const LIVE = "wss://x.execute-api.eu-west-1.amazonaws.com/live";

beforeEach(() => {
  FakeSocket.all = [];
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] });
});
afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

interface Opened {
  socket: RoundtableSocket;
  fake: FakeSocket;
  heard: number[][];
  closes: CloseEvent[];
}

async function opened(url: string, Socket = roundtableSocket({ WebSocket: Fake })): Promise<Opened> {
  const socket = new Socket(url);
  const heard: number[][] = [];
  const closes: CloseEvent[] = [];
  socket.onmessage = ({ data }) => heard.push([...new Uint8Array(data as ArrayBuffer)]);
  socket.onclose = (event) => closes.push(event);
  mock.timers.tick(0);
  await settled();
  return { socket, fake: FakeSocket.last.accept(), heard, closes };
}

const asY = (): Promise<Opened> => opened(`${LIVE}/${ROOM}?token=t`);
const said = (...clients: Client[]): Uint8Array => awareness("y", "", clients);
const me = (clock: number, state = '{"a":1}'): Client => ({ id: 7, clock, state });
const other = (clock: number, state = '{"b":2}'): Client => ({ id: 9, clock, state });
/** A name, as Hocuspocus puts it in front. */
const named = (...bytes: number[]): Uint8Array => new Writer().text(ROOM).raw(Uint8Array.from(bytes)).done();

test("is a WebSocket to those who are given one", () => {
  const polyfill: typeof WebSocket = RoundtableSocket;
  assert.equal(polyfill.OPEN, 1);
});

test("the room moves from the path into the query and stays escaped", async () => {
  const { fake } = await asY();
  const url = new URL(fake.url);
  assert.equal(url.pathname, "/live");
  assert.equal(url.searchParams.get("room"), "a%2Fb/d%201/%C3%BC");
  assert.deepEqual([url.searchParams.get("token"), fake.protocols], [null, ["roundtable", "t"]]);
});

test("without a room it speaks as Hocuspocus does", async () => {
  const { fake } = await opened(LIVE);
  assert.equal(fake.url, `${LIVE}?protocol=hocuspocus`);
});

test("messages are binary to the provider and text on the wire", async () => {
  const { socket, fake, heard } = await asY();
  socket.send(Uint8Array.from([0, 0, 1, 0]));
  assert.deepEqual(fake.sent, ["AAABAA=="]);
  fake.message(0, 2, 2, 0, 0);
  assert.deepEqual(heard, [[0, 2, 2, 0, 0]]);
});

/** A change of the document: an update that says its number. */
const change = (n: number): Uint8Array => Uint8Array.from([0, 2, 2, n, n]);
const changesIn = (frame = ""): (number | undefined)[] =>
  frame.split(" ").map((text) => [...fromBase64(text)]).filter(([type]) => type === 0).map((bytes) => bytes.at(-1));

/** A socket in a room with so many others. */
async function among(others: number, options: SocketOptions = {}): Promise<Opened> {
  const one = await opened(`${LIVE}/${ROOM}?token=t`, roundtableSocket({ ...options, WebSocket: Fake }));
  const clients = Array.from({ length: others }, (_, n) => ({ ...other(1), id: 100 + n }));
  one.fake.message(said(...clients));
  return one;
}

test("messages of one frame are given one by one", async () => {
  const { fake, heard } = await asY();
  fake.together(change(1), change(2));
  assert.deepEqual(heard, [[...change(1)], [...change(2)]]);
});

test("with one other person each change goes at once", async () => {
  const { socket, fake } = await among(1);
  for (const n of [1, 2, 3]) socket.send(change(n));
  assert.deepEqual(fake.sent.map(changesIn), [[1], [2], [3]]);
});

test("among many the first change goes at once, and later ones go together with the newest cursor", async () => {
  const { socket, fake } = await among(3);
  socket.send(change(1));
  socket.send(said(me(1)));
  mock.timers.tick(0);
  assert.deepEqual(fake.sent.map(changesIn), [[1]]);
  assert.equal(fake.messages.length, 2);
  for (const n of [2, 3, 4]) {
    socket.send(change(n));
    socket.send(said(me(n, `{"at":${n}}`)));
    mock.timers.tick(80);
  }
  assert.equal(fake.sent.length, 1);
  mock.timers.tick(10);
  assert.deepEqual(fake.sent.map(changesIn), [[1], [2, 3, 4]]);
  assert.deepEqual(fake.messages.at(-1), [...said(me(4, '{"at":4}'))]);
  assert.equal(fake.messages.length, 6);
  mock.timers.tick(1_000);
  socket.send(change(5));
  mock.timers.tick(0);
  assert.deepEqual(changesIn(fake.sent.at(-1)), [5]);
});

test("nothing is held longer than a second, and at will not at all", async () => {
  const { socket, fake } = await among(40);
  for (const n of [1, 2]) {
    socket.send(change(n));
    mock.timers.tick(0);
  }
  mock.timers.tick(999);
  assert.equal(fake.sent.length, 1);
  mock.timers.tick(1);
  assert.deepEqual(fake.sent.map(changesIn), [[1], [2]]);
  const { socket: hasty, fake: its } = await among(40, { gatherMs: 0 });
  for (const n of [1, 2]) hasty.send(change(n));
  assert.deepEqual(its.sent.map(changesIn), [[1], [2]]);
});

test("a change does not wait because a cursor was sent", async () => {
  const { socket, fake } = await among(40);
  for (const n of [1, 2]) {
    socket.send(said(me(n, `{"at":${n}}`)));
    mock.timers.tick(0);
  }
  assert.equal(fake.sent.length, 1);
  socket.send(change(3));
  mock.timers.tick(0);
  assert.deepEqual(fake.sent.map(changesIn), [[], [3]]);
  assert.deepEqual(fake.messages.at(-2), [...said(me(2, '{"at":2}'))], "the newest cursor goes along");
});

test("what is held goes before the socket closes, and when somebody leaves", async () => {
  const { socket, fake } = await among(9);
  socket.send(change(1));
  mock.timers.tick(0);
  socket.send(change(2));
  socket.send(said(me(1, "null")));
  assert.deepEqual(fake.sent.map(changesIn), [[1], [2]]);
  socket.send(change(3));
  socket.close();
  assert.deepEqual(changesIn(fake.sent.at(-1)), [3]);
});

test("a change that is not acknowledged in ten seconds is said again, until it is", async () => {
  const { socket, fake } = await opened(LIVE);
  socket.send(named(2, 0, 1, 116));
  fake.message(named(2, 2, 8, ...new TextEncoder().encode("readonly")));
  const before = fake.sent.length;
  socket.send(named(0, 2, 2, 1, 1));
  mock.timers.tick(9_999);
  assert.equal(fake.sent.length, before + 1);
  mock.timers.tick(1);
  mock.timers.tick(1);
  const changes = fake.sent.slice(before).filter((frame) => !frame.startsWith("{"));
  assert.deepEqual(changes, [changes[0], changes[0]]);
  fake.message(named(8, 1));
  mock.timers.tick(15_000);
  assert.equal(fake.sent.filter((frame) => frame === changes[0]).length, 2);
});

/** A socket that has said a change again, without an answer. */
async function saidAgain(): Promise<Opened> {
  const it = await opened(LIVE);
  it.socket.send(named(2, 0, 1, 116));
  it.fake.message(named(2, 2, 8, ...new TextEncoder().encode("readonly")));
  it.socket.send(named(0, 2, 2, 1, 1));
  mock.timers.tick(10_000);
  mock.timers.tick(1);
  return it;
}

/** How many acknowledgements a provider has heard. */
const acknowledged = (heard: number[][]): number => heard.filter((it) => it.join() === named(8, 1).join()).length;

test("of two answers to a change that was said again, the second counts for no other change", async () => {
  const { socket, fake, heard } = await saidAgain();
  fake.message(named(8, 1));
  socket.send(named(0, 2, 2, 2, 2));
  mock.timers.tick(1_000);
  fake.message(named(8, 1));
  assert.equal(acknowledged(heard), 1);
  fake.message(named(8, 1));
  assert.equal(acknowledged(heard), 2);
});

test("a second answer is not waited for, for ever", async () => {
  const { socket, fake, heard } = await saidAgain();
  fake.message(named(8, 1));
  mock.timers.tick(20_001);
  socket.send(named(0, 2, 2, 2, 2));
  mock.timers.tick(1_000);
  fake.message(named(8, 1));
  assert.equal(acknowledged(heard), 2);
});

test("a frame whose call failed ends the connection: both sides compare on the next one", async () => {
  const { fake, closes } = await opened(LIVE);
  fake.frame({ message: "Internal server error", connectionId: "c", requestId: "r" });
  await settled();
  assert.deepEqual(closes.map(({ code }) => code), [4503]);
});

test("a socket that is closed stays until its changes are stored, and its provider knows nothing of it", async () => {
  const { socket, fake, heard, closes } = await opened(LIVE);
  socket.send(named(2, 0, 1, 116));
  // It waits for the answer to the token.
  socket.send(named(0, 2, 2, 1, 1));
  socket.close(1000);
  await settled();
  assert.deepEqual([closes.length, socket.readyState, fake.readyState], [1, RoundtableSocket.CLOSED, 1]);
  fake.message(named(2, 2, 10), new TextEncoder().encode("read-write"));
  assert.deepEqual(fake.messages.at(-1), [...named(0, 2, 2, 1, 1)]);
  fake.message(named(8, 1));
  assert.deepEqual([fake.readyState, heard, closes.length], [3, [], 1]);
  // At the latest after five seconds.
  const second = await opened(LIVE);
  second.socket.send(named(2, 0, 1, 116));
  second.socket.send(named(0, 2, 2, 1, 1));
  second.socket.close(1000);
  mock.timers.tick(4_999);
  assert.equal(second.fake.readyState, 1);
  mock.timers.tick(1);
  assert.equal(second.fake.readyState, 3);
});

test("a frame has no more than API Gateway takes", async () => {
  const { socket, fake } = await among(9);
  for (let n = 0; n < 4; n++) socket.send(Uint8Array.from([0, 2, 0xb0, 0x6d, ...new Array(14_000).fill(n)]));
  mock.timers.tick(2_000);
  assert.ok(fake.sent.length >= 4 && fake.sent.every(({ length }) => length <= 30_000));
});

test("the service closes with its own code, and nothing is heard afterwards", async () => {
  const { socket, fake, heard, closes } = await asY();
  fake.frame({ type: "close", code: 4403, reason: "locked out" });
  fake.message(0, 2, 2, 0, 0);
  assert.deepEqual(closes.map(({ code, reason }) => [code, reason]), [[4403, "locked out"]]);
  assert.equal(socket.readyState, RoundtableSocket.CLOSED);
  assert.deepEqual(heard, []);
});

test("codes 4400 to 4499 are permanent", () => {
  assert.deepEqual([4399, 4400, 4499, 4500, 1006].map(isPermanent), [false, true, true, false, false]);
});

test("after failures it waits, longer each time, until the service has said something", async (context: TestContext) => {
  context.mock.method(Math, "random", () => 1);
  const Socket = roundtableSocket({ WebSocket: Fake });
  for (const wait of [0, 500, 1_000, 2_000]) {
    new Socket(`${LIVE}/${ROOM}`);
    if (wait > 0) mock.timers.tick(wait - 1);
    await settled();
    const before = FakeSocket.all.length;
    mock.timers.tick(1);
    await settled();
    assert.equal(FakeSocket.all.length, before + 1, `not after ${wait} ms`);
    FakeSocket.last.close(1006);
  }
  new Socket(`${LIVE}/${ROOM}`);
  mock.timers.tick(4_000);
  await settled();
  FakeSocket.last.accept().message(1, 1, 0);
  // One that is closed at once again has not succeeded.
  FakeSocket.last.close(1006);
  new Socket(`${LIVE}/${ROOM}`);
  mock.timers.tick(7_999);
  await settled();
  assert.equal(FakeSocket.all.length, 5);
  mock.timers.tick(1);
  await settled();
  FakeSocket.last.accept().message(1, 1, 0);
  mock.timers.tick(10_000);
  FakeSocket.last.close(1006);
  new Socket(`${LIVE}/${ROOM}`);
  mock.timers.tick(500);
  await settled();
  assert.equal(FakeSocket.all.length, 7);
});

test("each connection asks for a token of its own", async () => {
  let number = 0;
  const Socket = roundtableSocket({ WebSocket: Fake, token: async () => `t${++number}` });
  await opened(`${LIVE}/${ROOM}?token=old`, Socket);
  await opened(`${LIVE}/${ROOM}?token=old`, Socket);
  assert.deepEqual(FakeSocket.all.map(({ protocols }) => protocols[1]), ["t1", "t2"]);
});

test("messages of a document wait for its authentication", async () => {
  const { socket, fake } = await opened(LIVE);
  const auth = named(2, 0, 1, 116);
  const step1 = named(0, 0, 1, 0);
  socket.send(auth);
  socket.send(step1);
  assert.deepEqual(fake.messages, [[...auth]]);
  fake.message(named(2, 2, 10), new TextEncoder().encode("read-write"));
  assert.deepEqual(fake.messages, [[...auth], [...step1]]);
});

test("messages of a document that is refused are not sent", async () => {
  const { socket, fake, closes } = await opened(LIVE);
  socket.send(named(2, 0, 1, 116));
  socket.send(named(0, 0, 1, 0));
  fake.message(named(2, 1, 2, 110, 111));
  for (let more = 0; more < 2_000; more++) socket.send(named(0, 0, 1, 0));
  assert.deepEqual([fake.messages.length, closes.length], [1, 0]);
});

test("alone it does not repeat its state, with others it does, and never theirs", async () => {
  const { socket, fake } = await asY();
  socket.send(said(me(0)));
  socket.send(said(me(1)));
  assert.equal(fake.messages.length, 1);
  fake.message(said(other(3)));
  socket.send(said(other(3)));
  assert.equal(fake.messages.length, 1);
  socket.send(said(me(2), other(3)));
  assert.deepEqual(fake.messages[1], [...said(me(2))]);
});

test("a client that hears of itself from before still speaks", async () => {
  const { socket, fake } = await asY();
  fake.message(said(me(1 << 20)));
  socket.send(said(me(0)));
  assert.deepEqual(fake.messages, [[...said(me(0))]]);
});

test("who asks is answered without the provider", async () => {
  const { socket, fake, heard } = await asY();
  socket.send(said(me(0)));
  fake.message(said(other(3)));
  fake.message(3);
  assert.deepEqual(fake.messages[1], [...said(me(0))]);
  assert.equal(heard.length, 1);
});

test("awareness that is too large for a frame goes in parts", async () => {
  const { socket, fake } = await asY();
  const many = Array.from({ length: 400 }, (_, id) => ({ id, clock: 1, state: JSON.stringify({ id, text: "x".repeat(100) }) }));
  socket.send(said(...many));
  assert.ok(fake.sent.length > 1);
  assert.ok(fake.sent.every((frame) => frame.length <= 30_000));
});

interface Call {
  url: string;
  authorization: string;
  data: Record<string, unknown>;
}

type Reply = object | ((data: Record<string, unknown>) => object);

function rest(context: TestContext, status: number, reply: Reply): Call[] {
  const calls: Call[] = [];
  context.mock.method(globalThis, "fetch", async (url: string, init: RequestInit) => {
    const { authorization = "" } = init.headers as Record<string, string>;
    const { data } = JSON.parse(init.body as string) as { data: Record<string, unknown> };
    calls.push({ url, authorization, data });
    const body: object = typeof reply === "function" ? reply(data) : reply;
    return new Response(JSON.stringify(body), { status });
  });
  return calls;
}

const largeUpdate = (): Uint8Array => new Writer().uint(0).uint(2).block(new Uint8Array(30_000)).done();

test("a large update goes over HTTPS, and the acknowledgement is made here", async (context) => {
  const calls = rest(context, 200, { result: {} });
  const { socket, fake, heard } = await opened(LIVE);
  socket.send(named(2, 0, 1, 116));
  fake.message(named(2, 2, 10), new TextEncoder().encode("read-write"));
  socket.send(new Writer().text(ROOM).raw(largeUpdate()).done());
  await settled();
  const [call] = calls;
  assert.equal(call?.url, "https://x.execute-api.eu-west-1.amazonaws.com/v2/crdt/updates/add");
  assert.equal(call?.authorization, "Bearer t");
  assert.equal(call?.data["organizationId"], "a/b");
  assert.equal((call?.data["updates"] as string[])[0], Buffer.alloc(30_000).toString("base64"));
  assert.equal(fake.messages.length, 1);
  assert.deepEqual(heard.at(-1), [...named(8, 1)]);
});

test("a large update of a reader is refused as a small one is", async (context) => {
  rest(context, 403, { error: { status: "PERMISSION_DENIED", message: "no" } });
  const { socket, heard, closes } = await asY();
  socket.send(largeUpdate());
  await settled();
  assert.deepEqual(heard, [[2, 0, 2, 110, 111]]);
  assert.deepEqual(closes, []);
});

test("a large update that cannot be stored is refused, and ends the connection of y-websocket alone", async (context) => {
  for (const [status, name, code] of [[429, "RESOURCE_EXHAUSTED", 4413], [400, "INVALID_ARGUMENT", 4400]] as const) {
    rest(context, status, { error: { status: name, message: "no" } });
    const stock = await asY();
    stock.socket.send(largeUpdate());
    await settled();
    assert.deepEqual(stock.closes.map((close) => [close.code, close.reason]), [[code, "no"]]);
    const { socket, fake, heard, closes } = await opened(LIVE);
    socket.send(named(2, 0, 1, 116));
    fake.message(named(2, 2, 10), new TextEncoder().encode("read-write"));
    socket.send(new Writer().text(ROOM).raw(largeUpdate()).done());
    await settled();
    // Code and reason stand behind the status, where stock providers do not read.
    const refused = new Writer().raw(named(8, 0)).uint(code).text("no").done();
    assert.deepEqual([heard.at(-1), closes], [[...refused], []]);
    context.mock.restoreAll();
  }
});

test("answers to large and small updates come in the order of the updates", async (context) => {
  rest(context, 429, { error: { status: "RESOURCE_EXHAUSTED", message: "no" } });
  const { socket, fake, heard } = await opened(LIVE);
  socket.send(named(2, 0, 1, 116));
  fake.message(named(2, 2, 10), new TextEncoder().encode("read-write"));
  heard.length = 0;
  const before = fake.messages.length;
  socket.send(named(0, 2, 2, 1, 1));
  socket.send(new Writer().text(ROOM).raw(largeUpdate()).done());
  socket.send(named(0, 2, 2, 2, 2));
  await settled();
  assert.deepEqual([fake.messages.length, heard], [before + 1, []]);
  fake.message(named(8, 1));
  await settled();
  mock.timers.tick(1_000);
  assert.equal(fake.messages.length, before + 2);
  fake.message(named(8, 1));
  const refused = new Writer().raw(named(8, 0)).uint(4413).text("no").done();
  assert.deepEqual(heard, [[...named(8, 1)], [...refused], [...named(8, 1)]]);
});

test("a large state is fetched and given to the provider as the answer", async (context) => {
  const calls = rest(context, 200, { result: { data: { update: "AAA=", stateVector: "AQcB" } } });
  const { fake, heard } = await asY();
  fake.frame({ type: "fetch", document: ROOM, stateVector: "AQ==" });
  await settled();
  assert.deepEqual([calls[0]?.url.split("/v2/")[1], calls[0]?.data["stateVector"]], ["crdt/state/get", "AQ=="]);
  assert.deepEqual(heard, [[0, 1, 2, 0, 0]]);
  // With a question what the service has is its step 1.
  fake.frame({ type: "fetch", document: ROOM, stateVector: "AQ==", asks: true });
  await settled();
  assert.deepEqual(heard.slice(1), [[0, 1, 2, 0, 0], [0, 0, 3, 1, 7, 1]]);
});

test("a state in parts is whole for the provider with the last one", async (context) => {
  const calls = rest(context, 200, ({ stateVector }) => {
    const isComplete = stateVector === "AQcB";
    return { result: { data: { update: "AAA=", stateVector: isComplete ? "AQcC" : "AQcB", isComplete } } };
  });
  const { fake, heard } = await asY();
  fake.frame({ type: "fetch", document: ROOM, stateVector: "AQ==", asks: true });
  await settled();
  await settled();
  assert.deepEqual(calls.map(({ data }) => data["stateVector"]), ["AQ==", "AQcB"]);
  assert.deepEqual(heard, [[0, 2, 2, 0, 0], [0, 1, 2, 0, 0], [0, 0, 3, 1, 7, 2]]);
});

/** Lets seconds pass, and counts pings. */
function pass(seconds: number, fake: FakeSocket): number {
  const before = fake.sent.length;
  for (let second = 0; second < seconds; second++) mock.timers.tick(1_000);
  return fake.sent.slice(before).filter((frame) => frame === '{"type":"ping"}').length;
}

test("an idle connection costs a ping in eight minutes, one that others see one in 25 seconds", async () => {
  const { socket, fake } = await asY();
  assert.equal(pass(3_600, fake), 7);
  socket.send(said(me(0)));
  fake.message(said(other(1)));
  assert.equal(pass(3_600, fake), 144);
});

test("a provider hears something every fifteen seconds while the connection lives", async () => {
  const { fake, heard } = await asY();
  pass(60, fake);
  assert.deepEqual(heard, Array.from({ length: 4 }, () => [1, 1, 0]));
});

test("a connection that no longer answers is given up, to be made again", async () => {
  const { socket, fake, closes } = await asY();
  fake.lives = false;
  socket.send(Uint8Array.from([0, 2, 2, 0, 0]));
  assert.equal(pass(19, fake), 1);
  assert.equal(closes.length, 0);
  pass(2, fake);
  assert.deepEqual(closes.map(({ code }) => code), [4508]);
});
