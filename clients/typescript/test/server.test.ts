import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { test } from "node:test";

import { Roundtable } from "roundtable";
import { type Identity, nodeTokenHandler, tokenHandler } from "roundtable/server";
import { fetchToken } from "roundtable/store";

import { serve } from "./support.js";
import { Team, documentId, organizationId } from "./team.js";

const ada: Identity = {
  userId: "ada",
  name: "Ada",
  email: "ada@example.com",
  access: [{ type: "organization", id: organizationId, accessRole: "editor" }],
};

test("a request of somebody who is signed in is answered with a token", async (t) => {
  const team = await Team.make(t);
  const handler = tokenHandler({
    ...team.key,
    expiresIn: 600,
    identify: async ({ headers }) => (headers.get("cookie") === "ada" ? ada : undefined),
  });
  const reply = await handler(
    new Request("http://localhost/api/roundtable", { method: "POST", headers: { cookie: "ada" } }),
  );
  assert.deepEqual([reply.status, reply.headers.get("cache-control")], [200, "no-store"]);
  const { token, expiresIn } = (await reply.json()) as { token: string; expiresIn: number };
  assert.equal(expiresIn, 600);
  const client = new Roundtable(team.base, { userToken: token });
  const { data } = await client.documents.get({ organizationId, documentIds: [documentId] });
  assert.equal(data[0]?.documentName, "Plan");
  const nobody = await handler(new Request("http://localhost/api/roundtable", { method: "POST" }));
  assert.deepEqual([nobody.status, await nobody.json()], [401, { error: "Nobody is signed in." }]);
});

test("in Node, and `fetchToken` asks for it", async (t) => {
  const team = await Team.make(t);
  const handler = nodeTokenHandler<IncomingMessage>({
    ...team.key,
    identify: ({ headers }) => (headers["x-as"] === "ada" ? ada : undefined),
  });
  const base = await serve(t, (request, response) => void handler(request, response));
  assert.match(await fetchToken(base, { headers: { "x-as": "ada" } })(), /^ey/);
  await assert.rejects(fetchToken(base)(), /answered 401 without a token/);
});

test("what cannot say who asks answers all the same, and the process lives", async (t) => {
  const error = t.mock.method(console, "error", () => {});
  const handler = nodeTokenHandler<IncomingMessage>({
    identify: () => Promise.reject(new Error("The sessions are away.")),
  });
  const base = await serve(t, (request, response) => void handler(request, response));
  await assert.rejects(fetchToken(base)(), /answered 500 without a token/);
  assert.equal(error.mock.callCount(), 1);
});

test("a service that gives no token, and settings that are missing, are errors", async (t) => {
  const error = t.mock.method(console, "error", () => {});
  const request = () => new Request("http://localhost/", { method: "POST" });
  const wrong = tokenHandler({
    baseUrl: (await Team.make(t)).base,
    apiKey: "none",
    authToken: "none",
    identify: () => ada,
  });
  const reply = await wrong(request());
  assert.deepEqual([reply.status, error.mock.callCount()], [502, 1]);
  await assert.rejects(
    tokenHandler({ identify: () => ada })(request()),
    /needs apiKey, or the environment variable ROUNDTABLE_API_KEY/,
  );
});
