import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type TestContext, test } from "node:test";
import { ApiError, DeadlineError, NetworkError, Roundtable, RoundtableError, type Settings } from "roundtable";
import { serve } from "./support.js";

type Answer = (reply: ServerResponse, request: IncomingMessage) => void;
interface Received {
  key: string | undefined;
  body: string;
}

const json = (status: number, body: object, headers = {}): Answer => (reply) =>
  void reply.writeHead(status, { "x-request-id": "req1", ...headers }).end(JSON.stringify(body));
const fine = json(200, { result: { status: "success", message: "", data: [] } });
const failure = (http: number, status: string, headers = {}) =>
  json(http, { error: { status, message: "No." } }, headers);
const cut: Answer = (reply) => void reply.destroy();
const cutBody: Answer = (reply) =>
  void reply.writeHead(200, { "content-length": "99" }).write('{"result":', () => reply.destroy());
const silence: Answer = () => {};

/** A client of a server that gives these answers, one after the other, and what it received. */
async function scripted(test: TestContext, answers: Answer[], settings: Partial<Settings> = {}) {
  const received: Received[] = [];
  const base = await serve(test, async (request, reply) => {
    const { "idempotency-key": key } = request.headers;
    let body = "";
    for await (const chunk of request) body += chunk;
    received.push({ key: key as string | undefined, body });
    (answers.shift() ?? silence)(reply, request);
  });
  const credentials = { apiKey: "key", authToken: "token" };
  const client = new Roundtable(base, credentials, { backoffMs: 1, ...settings });
  const write = () => client.users.delete({ organizationId: "acme", userIds: ["ada"] });
  const read = () => client.users.get({ organizationId: "acme" });
  return { client, received, write, read };
}

test("what is of the moment is repeated, a write under one name", async (t) => {
  const { received, write } = await scripted(t, [
    failure(503, "UNAVAILABLE"),
    failure(500, "INTERNAL"),
    failure(409, "ABORTED"),
    cut,
    fine,
  ]);
  await write();
  assert.equal(received.length, 5);
  assert.match(received[0]?.key ?? "", /^[0-9a-f]{32}$/);
  for (const repeated of received) assert.deepEqual(repeated, received[0]);
});

test("two calls have two names", async (t) => {
  const { received, write } = await scripted(t, [fine, fine]);
  await write();
  await write();
  assert.notEqual(received[0]?.key, received[1]?.key);
});

test("a call that reads has no name, and is repeated", async (t) => {
  const { received, read } = await scripted(t, [cutBody, fine]);
  await read();
  assert.deepEqual(received.map(({ key }) => key), [undefined, undefined]);
});

test("without repetitions no name is sent, unless the caller chose one", async (t) => {
  const { client, received, write } = await scripted(t, [cut, fine], { maxRetries: 0 });
  await assert.rejects(write(), NetworkError);
  const data = { organizationId: "acme", userIds: ["ada"] };
  await client.users.delete(data, { idempotencyKey: "mine" });
  assert.deepEqual(received.map(({ key }) => key), [undefined, "mine"]);
});

test("repetitions end", async (t) => {
  const unavailable = failure(503, "UNAVAILABLE");
  const answers = [unavailable, unavailable, unavailable, fine];
  const { received, write } = await scripted(t, answers, { maxRetries: 2 });
  await assert.rejects(write(), { code: "UNAVAILABLE", status: 503 });
  assert.equal(received.length, 3);
});

test("a repetition waits as long as the service asks", async (t) => {
  const waits: number[] = [];
  const real = setTimeout;
  // Times of some seconds are those of repetitions; `fetch` has shorter and longer ones.
  const timer = (run: () => void, ms = 0, ...rest: []) => {
    if (ms < 5_000 || ms > 10_000) return real(run, ms, ...rest);
    waits.push(ms);
    return real(run, 0);
  };
  const date = new Date(Date.now() + 9_000).toUTCString();
  const { read } = await scripted(t, [
    failure(429, "RESOURCE_EXHAUSTED", { "retry-after": "7" }),
    failure(503, "UNAVAILABLE", { "retry-after": date }),
    json(429, { message: "Too Many Requests" }),
    fine,
  ]);
  t.mock.method(globalThis, "setTimeout", timer as typeof setTimeout);
  await read();
  const [first, second] = waits;
  assert.equal(first, 7_000);
  assert.ok(second && second > 7_000 && second <= 9_000, `waited ${second} ms`);
  assert.equal(waits.length, 2);
});

test("a time to wait beyond the deadline is not waited for", async (t) => {
  const limited = failure(429, "RESOURCE_EXHAUSTED", { "retry-after": "61" });
  const { received, read } = await scripted(t, [limited, fine]);
  await assert.rejects(read(), { code: "RESOURCE_EXHAUSTED", retryAfterMs: 61_000 });
  assert.equal(received.length, 1);
});

test("a quota and what is wrong with a call are not repeated", async (t) => {
  for (const refused of [
    failure(429, "RESOURCE_EXHAUSTED"),
    failure(409, "ALREADY_EXISTS"),
    failure(404, "NOT_FOUND"),
  ]) {
    const { received, read } = await scripted(t, [refused, fine]);
    await assert.rejects(read(), ApiError);
    assert.equal(received.length, 1);
  }
});

test("an attempt and a call have a deadline", async (t) => {
  const attempts = await scripted(t, [silence, fine], { attemptMs: 300 });
  await attempts.read();
  assert.equal(attempts.received.length, 2);
  const call = await scripted(t, [silence, fine], { deadlineMs: 300 });
  await assert.rejects(call.read(), DeadlineError);
  assert.equal(call.received.length, 1);
});

test("a signal ends a call, also while it waits", async (t) => {
  const limited = failure(429, "RESOURCE_EXHAUSTED", { "retry-after": "30" });
  for (const answer of [silence, limited]) {
    const stop = new AbortController();
    const stopping: Answer = (reply, request) => {
      answer(reply, request);
      setTimeout(() => stop.abort(), 20);
    };
    const { client, received } = await scripted(t, [stopping, fine]);
    const call = client.users.get({ organizationId: "acme" }, { signal: stop.signal });
    await assert.rejects(call, { name: "AbortError" });
    assert.equal(received.length, 1);
  }
});

test("what is no reply of the service is an error", async (t) => {
  const page: Answer = (reply) => void reply.end("<html>Welcome</html>");
  const gateway = json(413, { message: "Too Large" }, { "x-request-id": "", "apigw-requestid": "gw1" });
  const { read } = await scripted(t, [page, gateway]);
  await assert.rejects(read(), { code: "UNKNOWN", status: 200 });
  await assert.rejects(read(), { code: "UNKNOWN", status: 413 });
});

test("ignored members are told", async (t) => {
  const told: string[] = [];
  const ignoring = json(200, { result: { data: [] } }, { "x-ignored-members": "data.nickName" });
  const { read } = await scripted(t, [ignoring], { warn: (text) => told.push(text) });
  await read();
  assert.deepEqual(told, ["roundtable: users.get does not know data.nickName"]);
});

test("data that JSON cannot hold is refused before anything is sent", async (t) => {
  const { client, received } = await scripted(t, [fine]);
  const data = { organizationId: "acme", size: 1n } as unknown as { organizationId: string };
  await assert.rejects(client.users.get(data), (error: Error) => {
    assert.ok(error instanceof RoundtableError);
    assert.match(error.message, /^users\.get: the data is no JSON: .*BigInt/);
    return true;
  });
  assert.equal(received.length, 0);
});
