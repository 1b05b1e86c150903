// Verifies captured webhooks with the npm libraries standardwebhooks and svix.

import { readFileSync } from "node:fs";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";

const lines = readFileSync(process.argv[2], "utf8").split("\n").filter(Boolean);
const verifiers = { standardwebhooks: StandardWebhook, svix: SvixWebhook };
for (const [name, Verifier] of Object.entries(verifiers)) {
  for (const line of lines) {
    const { secret, headers, body } = JSON.parse(line);
    new Verifier(secret).verify(body, headers);
    if (JSON.parse(body).id !== headers["webhook-id"]) throw new Error("the body tells another id");
    let forged = false;
    try {
      new Verifier(secret).verify(body + " ", headers);
      forged = true;
    } catch {}
    if (forged) throw new Error("a changed body was verified");
  }
  console.log(`${name} (npm): ${lines.length} verified, as many forgeries refused`);
}
