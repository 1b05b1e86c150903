import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { TokenCache } from "../dist/store/token.js";
import { settled } from "./fake.js";

beforeEach(() => mock.timers.enable({ apis: ["Date"], now: 1_800_000_000_000 }));
afterEach(() => mock.timers.reset());

const token = (claims: object): string =>
  `head.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.signature`;

test("a token of another user is used for nothing, and the user's own is, whatever its letters", async () => {
  let sub = "zoë";
  const cache = new TokenCache(() => token({ sub }), "zoë");
  assert.equal(await cache.get(), token({ sub: "zoë" }));
  sub = "bob";
  mock.timers.tick(3_600_000);
  await assert.rejects(cache.get(), /The token is not of zoë/);
  sub = "zoë";
  assert.equal(await cache.get(), token({ sub: "zoë" }));
});

test("of calls whose token is refused together, all are told of the new one", async () => {
  let asked = 0;
  const cache = new TokenCache(() => `token ${++asked}`, "ada");
  const events = cache.user();
  await Promise.all([cache.get(), events.get()]);
  const used = cache.held;
  mock.timers.tick(60_000);
  assert.deepEqual([cache.refused(used), await cache.get()], [true, "token 2"]);
  await settled();
  assert.deepEqual([cache.refused(used), events.refused(), await events.get(), asked], [true, true, "token 2", 2]);
  // Another one would not help.
  assert.deepEqual([cache.refused(cache.held), events.refused()], [false, false]);
});

test("a call whose token was revoked is made once more with another one, and a call without a right is not", async (t) => {
  let asked = 0;
  const cache = new TokenCache(() => `token ${++asked}`, "ada");
  const used: unknown[] = [];
  t.mock.method(globalThis, "fetch", async (_: unknown, init: RequestInit) => {
    const { authorization } = init.headers as Record<string, string>;
    used.push([authorization, init.body]);
    return new Response("", { status: authorization === "Bearer token 1" ? 403 : 200 });
  });
  const call = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${await cache.get()}` };
    return (await cache.fetch("http://localhost", { method: "POST", headers, body: "{}" })).status;
  };
  assert.equal(await call(), 403, "a new token would not help");
  mock.timers.tick(60_000);
  assert.equal(await call(), 200);
  assert.deepEqual(used, [["Bearer token 1", "{}"], ["Bearer token 1", "{}"], ["Bearer token 2", "{}"]]);
});
