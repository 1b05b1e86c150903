import { type RequestListener, type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Roundtable } from "roundtable";

/** The service that tests talk to. */
export const BASE = process.env.BASE ?? "";

/** A client of a new API key. */
export async function newKey(base = BASE): Promise<Roundtable> {
  const admin = new Roundtable(BASE, { adminToken: process.env.ADMIN_TOKEN ?? "" });
  const ownerEmail = "owner@example.com";
  const { data } = await admin.operator.workspaceCreate({ ownerEmail });
  const apiKey = Object.keys(data.apiKeyList)[0] ?? "";
  const workspace = admin.as({ workspaceId: data.id, workspaceAuthToken: data.authToken });
  const tokens = await workspace.workspace.authTokensGet({ apiKey });
  const authToken = tokens.data.authTokens[0]?.token ?? "";
  return new Roundtable(base, { apiKey, authToken }, { backoffMs: 1 });
}

/** An HTTP server that ends with the test; answers with its address. */
export async function serve(test: TestContext, listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener).listen(0, "127.0.0.1");
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Asks until there is an answer, for at most 20 seconds. */
export async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (let tried = 0; tried < 400; tried++) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await sleep(50);
  }
  throw new Error("no answer came");
}
