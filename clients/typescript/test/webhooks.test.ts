import assert from "node:assert/strict";
import type { IncomingHttpHeaders } from "node:http";
import { type TestContext, test } from "node:test";
import type { WebhookEvent } from "roundtable";
import { WebhookVerificationError, verifyWebhook } from "roundtable/server";
import { newKey, serve, until } from "./support.js";

const organizationId = "acme";

/** A key whose webhooks come here. */
async function receiver(t: TestContext) {
  const received: { body: string; headers: IncomingHttpHeaders }[] = [];
  const url = await serve(t, async (request, reply) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    received.push({ body, headers: request.headers });
    reply.end();
  });
  const client = await newKey();
  await client.configuration.advancedWebhooksUpdate({ isEnabled: true });
  const { data } = await client.webhookEndpoints.create({ url, filterTypes: ["comment.add"] });
  await client.organizations.add({ organizations: [{ organizationId, organizationName: "Acme" }] });
  await client.documents.add({ organizationId, documents: [{ documentId: "plan", documentName: "Plan" }] });
  const thread = { organizationId, documentId: "plan", annotationId: "thread" };
  const words = (commentText: string) => [{ commentText, from: { userId: "ada" } }];
  const commentAnnotations = [{ annotationId: "thread", commentData: words("First") }];
  await client.comments.annotationsAdd({ ...thread, commentAnnotations });
  const comment = async (commentText: string) => {
    await client.comments.add({ ...thread, commentData: words(commentText) });
    return until(async () => received.shift());
  };
  const secret = async () =>
    (await client.webhookEndpoints.secretGet({ endpointId: data.id })).data.secret;
  return { client, endpointId: data.id, comment, secret };
}

function text(event: WebhookEvent): string | undefined {
  assert.ok(event.type === "comment.add");
  return event.data?.targetComment?.commentText;
}

test("a webhook of the service is verified, a forged or old one is not", async (t) => {
  const { comment, secret } = await receiver(t);
  const { body, headers } = await comment("Hello");
  const key = await secret();
  assert.equal(text(await verifyWebhook(body, headers, key)), "Hello");
  const bytes = Buffer.from(body);
  assert.equal(text(await verifyWebhook(bytes, new Headers(headers as HeadersInit), key)), "Hello");

  const other = `whsec_${btoa("0123456789abcdef")}`;
  const at = Number(headers["webhook-timestamp"]);
  const { "webhook-id": _, ...nameless } = headers;
  for (const [why, forged] of [
    ["no signature fits", () => verifyWebhook(`${body} `, headers, key)],
    ["no signature fits", () => verifyWebhook(body, headers, other)],
    ["no signature fits", () => verifyWebhook(body, { ...headers, "webhook-id": "msg_1" }, key)],
    ["no signature fits", () => verifyWebhook(body, { ...headers, "webhook-signature": "v1,!" }, key)],
    ["the webhook is too old", () => verifyWebhook(body, headers, key, { now: at + 301 })],
    ["the webhook comes from the future", () => verifyWebhook(body, headers, key, { now: at - 301 })],
    ["the header webhook-id is missing", () => verifyWebhook(body, nameless, key)],
  ] as const) {
    await assert.rejects(forged, (error: Error) => {
      assert.ok(error instanceof WebhookVerificationError);
      assert.equal(error.message, why);
      return true;
    });
  }
  await verifyWebhook(body, headers, key, { now: at + 299 });
  await assert.rejects(verifyWebhook(body, headers, "secret"), TypeError);
});

test("while a secret is rotated, the old one and the new one verify", async (t) => {
  const { client, endpointId, comment, secret } = await receiver(t);
  const old = await secret();
  await client.webhookEndpoints.secretRotate({ endpointId, gracePeriodSeconds: 3600 });
  const rotated = await secret();
  assert.notEqual(old, rotated);
  const { body, headers } = await comment("Both");
  assert.equal(String(headers["webhook-signature"]).split(" ").length, 2);
  const other = `whsec_${btoa("0123456789abcdef")}`;
  for (const secrets of [old, rotated, [other, rotated]]) {
    assert.equal(text(await verifyWebhook(body, headers, secrets)), "Both");
  }
});

test("a body in base64 is decoded", async (t) => {
  const { client, comment, secret } = await receiver(t);
  await client.configuration.advancedWebhooksUpdate({ encodeData: true });
  const { body, headers } = await comment("Grüße");
  assert.ok(body.startsWith('{"encodedPayload"'));
  assert.equal(text(await verifyWebhook(body, headers, await secret())), "Grüße");
});
