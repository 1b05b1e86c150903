import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { WebhookEvent } from "roundtable";
import { verifyWebhook } from "roundtable/server";

/** Polls until there is a result: effects of a call follow a moment later. */
export async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (let tried = 0; tried < 200; tried++) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await sleep(50);
  }
  throw new Error("no answer came");
}

/** Receives webhooks, and verifies them with the secrets. */
export async function receiver(secrets: string[]) {
  const events: WebhookEvent[] = [];
  const server = createServer(async (request, reply) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    try {
      events.push(await verifyWebhook(body, request.headers, secrets));
      reply.writeHead(204).end();
    } catch {
      reply.writeHead(400).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, events, close: () => server.close() };
}
