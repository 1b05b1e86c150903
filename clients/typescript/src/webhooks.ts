import type { WebhookEvent } from "./generated/types.js";
import { fromBase64 } from "./live/base64.js";
import { parsed } from "./retry.js";

/** The signature of a webhook is invalid, or the webhook is too old. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
}

/** Headers of a request: those of `fetch`, of Node, or a record with names in lower case. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

/** When a webhook is too old. */
export interface VerifyOptions {
  /** Maximum age of a webhook, and maximum lead, in seconds; 300 by default. */
  toleranceSeconds?: number;
  /** The time in epoch seconds; that of the machine by default. */
  now?: number;
}

/**
 * Verifies a webhook (Standard Webhooks) and returns its event.
 *
 * `body` is the raw body, before any JSON parser. `secrets` is the secret of the endpoint,
 * `whsec_…`, or several: while a secret is rotated the service signs with the old and the new one,
 * and one match is enough. A body in base64 (`encodeData`) is decoded; an encrypted one
 * (`encryptData`) is returned unchanged, for the holder of the private key.
 *
 * Throws `WebhookVerificationError`.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now() / 1000 }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) =>
    header(headers, `webhook-${name}`),
  ) as [string, string, string];
  if (!/^\d{1,15}$/.test(timestamp)) throw wrong("webhook-timestamp is no time");
  const age = now - Number(timestamp);
  if (age > toleranceSeconds) throw wrong("the webhook is too old");
  if (age < -toleranceSeconds) throw wrong("the webhook comes from the future");

  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + bytes.length);
  signed.set(head);
  signed.set(bytes, head.length);
  for (const secret of typeof secrets === "string" ? [secrets] : secrets) {
    if (await isSigned(secret, signatures, signed)) return eventOf(bytes);
  }
  throw wrong("no signature fits");
}

/** Whether one of the signatures is made with the secret. `crypto` compares in constant time. */
async function isSigned(
  secret: string,
  signatures: string,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const bytes = secret.startsWith("whsec_") ? base64(secret.slice("whsec_".length)) : undefined;
  if (!bytes?.length) throw new TypeError("a webhook secret is whsec_ and base64");
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes, hmac, false, ["verify"]);
  for (const signature of signatures.split(" ")) {
    const found = signature.startsWith("v1,") ? base64(signature.slice("v1,".length)) : undefined;
    if (found && (await crypto.subtle.verify("HMAC", key, found, signed))) return true;
  }
  return false;
}

function eventOf(bytes: Uint8Array): WebhookEvent {
  const text = (from: Uint8Array) => new TextDecoder().decode(from);
  const event = parsed(text(bytes)) as { encodedPayload?: unknown } | undefined;
  if (typeof event !== "object" || event === null) throw wrong("the body is no JSON object");
  const inner = typeof event.encodedPayload === "string" ? base64(event.encodedPayload) : undefined;
  return (inner ? parsed(text(inner)) : event) as WebhookEvent;
}

function header(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  const text = Array.isArray(value) ? value[0] : value;
  if (!text) throw wrong(`the header ${name} is missing`);
  return text;
}

function base64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return fromBase64(text);
  } catch {
    return undefined;
  }
}

function wrong(text: string): WebhookVerificationError {
  return new WebhookVerificationError(text);
}
