// A key of the service, and calls with it that outlive the end of the process.
import { BASE, call as callOnce, newKey } from "./service.mjs";
import { now, pause } from "./clock.mjs";

/** How long the service may be away. */
const AWAY_MS = 30_000;

/** Makes a call again while the service is away; a refusal is thrown as text. */
export async function call(path, headers, data) {
  const end = now() + AWAY_MS;
  for (;;) {
    try {
      return await callOnce(path, headers, data);
    } catch (error) {
      const isPassing = error instanceof TypeError || /"(ABORTED|UNAVAILABLE|DEADLINE_EXCEEDED)"/.test(error.message);
      if (!isPassing || now() > end) throw error;
      await pause(50);
    }
  }
}

/** The status of a call of an end user. */
export async function status(path, token, data) {
  for (const end = now() + AWAY_MS; ; ) {
    try {
      const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
      const reply = await fetch(BASE + path, { method: "POST", headers, body: JSON.stringify({ data }) });
      const { result } = await reply.json();
      if (reply.status < 500 || now() > end) return { status: reply.status, result };
    } catch (error) {
      if (now() > end) throw error;
    }
    await pause(50);
  }
}

/** A key with a clock of its own, where nobody has a right that was not given. */
export class Tenant {
  static async make(operator) {
    const tenant = new Tenant();
    tenant.headers = await newKey(call, operator, { type: "testing", defaultDocumentAccessType: "restricted" });
    return tenant;
  }

  call(path, data) {
    return call(path, this.headers, data);
  }
}
