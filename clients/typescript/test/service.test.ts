import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, Roundtable, type User } from "roundtable";
import { BASE, newKey, serve } from "./support.js";

const organizationId = "acme";

/** A key whose organization has a document and five users. */
async function team(base = BASE): Promise<Roundtable> {
  const client = await newKey(base);
  await client.organizations.add({ organizations: [{ organizationId, organizationName: "Acme" }] });
  const documents = [{ documentId: "plan", documentName: "Plan" }];
  await client.documents.add({ organizationId, documents });
  const users = ["a", "b", "c", "d", "e"].map((userId) => ({ userId, name: userId }));
  await client.users.add({ organizationId, users });
  return client;
}

test("an error names the code, the members, the request and the operation", async () => {
  const client = await newKey();
  const call = client.comments.get({ organizationId: "", documentId: "plan", annotationId: "x" });
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof ApiError);
    assert.equal(error.code, "INVALID_ARGUMENT");
    assert.equal(error.status, 400);
    assert.equal(error.operation, "comments.get");
    assert.ok(error.requestId && error.message.includes(error.requestId));
    assert.deepEqual(error.issues.map(({ path }) => path), [["data", "organizationId"]]);
    return true;
  });
});

test("credentials decide who calls", async () => {
  const client = await team();
  const wrong = client.as({ apiKey: "nobody", authToken: "none" });
  await assert.rejects(wrong.users.get({ organizationId }), { code: "PERMISSION_DENIED" });

  const resources = [{ type: "document", id: "plan", organizationId, accessRole: "editor" }] as const;
  const { data } = await client.users.generateToken({
    userId: "a",
    userProperties: { name: "A", email: "a@example.com" },
    permissions: { resources: [...resources] },
  });
  let asked = 0;
  const userToken = async () => ((asked += 1), data.token);
  const user = client.as({ userToken });
  await user.presence.add({ organizationId, documentId: "plan", users: [{ userId: "a", status: "online" }] });
  const present = await user.presence.get({ organizationId, documentId: "plan" });
  assert.deepEqual(present.data.map(({ userId }) => userId), ["a"]);
  assert.equal(asked, 2);
  await assert.rejects(user.organizations.get({ organizationIds: [organizationId] }), { code: "PERMISSION_DENIED" });
});

test("pages and items go from the first to the last", async () => {
  const client = await team();
  const sizes: number[] = [];
  for await (const page of client.users.getPages({ organizationId, pageSize: 2 })) {
    sizes.push((page.data as User[]).length);
  }
  assert.deepEqual(sizes, [2, 2, 1]);
  const names: string[] = [];
  for await (const user of client.users.getAll({ organizationId, pageSize: 2 })) {
    names.push(user.userId);
  }
  assert.deepEqual(names.sort(), ["a", "b", "c", "d", "e"]);
});

test("pages of webhook endpoints have iterators", async () => {
  const client = await newKey();
  await client.configuration.advancedWebhooksUpdate({ isEnabled: true });
  for (const name of ["a", "b", "c"]) {
    await client.webhookEndpoints.create({ url: "https://hooks.example.com", description: name });
  }
  const found: (string | null)[] = [];
  for await (const endpoint of client.webhookEndpoints.getAll({ limit: 2 })) {
    found.push(endpoint.description);
  }
  assert.deepEqual(found, ["c", "b", "a"]);
});

test("what does not exist is left out of items, and grouped replies have none", async () => {
  const client = await team();
  const threads = { organizationId, documentId: "plan" };
  const commentAnnotations = [{ annotationId: "t", commentData: [{ commentText: "?", from: { userId: "a" } }] }];
  await client.comments.annotationsAdd({ ...threads, commentAnnotations });
  const found: string[] = [];
  const named = { ...threads, annotationIds: ["t", "none"] };
  for await (const thread of client.comments.annotationsGetAll(named)) found.push(thread.annotationId);
  assert.deepEqual(found, ["t"]);
  const grouped = client.comments.annotationsGetAll({ organizationId, groupByDocumentId: true });
  await assert.rejects(grouped.next(), TypeError);
});

test("a call whose reply was lost is made once", async (t) => {
  let lost = 0;
  // Hands calls on, and cuts the connection in place of the first reply to each path.
  const seen = new Set<string>();
  const proxy = await serve(t, async (request, reply) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { "content-length": _, connection: __, host: ___, ...headers } = request.headers;
    const body = Buffer.concat(chunks);
    const answer = await fetch(BASE + request.url, { method: "POST", headers: headers as Record<string, string>, body });
    const text = await answer.text();
    const path = request.url ?? "";
    if (path.endsWith("/comments/add") && !seen.has(path)) {
      seen.add(path);
      lost += 1;
      reply.destroy();
      return;
    }
    reply.writeHead(answer.status, { "content-type": "application/json" }).end(text);
  });
  const client = await team(proxy);
  const thread = { organizationId, documentId: "plan", annotationId: "t" };
  const comment = (commentText: string) => [{ commentText, from: { userId: "a" } }];
  const commentAnnotations = [{ annotationId: "t", commentData: comment("Really?") }];
  await client.comments.annotationsAdd({ organizationId, documentId: "plan", commentAnnotations });
  const { data } = await client.comments.add({ ...thread, commentData: comment("Yes.") });
  assert.equal(lost, 1);
  const { data: comments } = await client.comments.get(thread);
  assert.deepEqual(comments.map((it) => it?.commentText), ["Really?", "Yes."]);
  assert.equal(comments[1]?.commentId, data[0]);
});

test("the clock of a testing key moves", async () => {
  const client = await newKey();
  const before = await client.schedule.testClockAdvance({ seconds: 1 });
  const after = await client.schedule.testClockAdvance({ seconds: 3600 });
  assert.ok(after.data.now - before.data.now >= 3_600_000);
});
