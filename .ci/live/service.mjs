// The service as a process of its own, and a tenant in it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const { ROUNDTABLE } = process.env;
const PORT = Number(process.env.PORT ?? 3932);

export const BASE = `http://127.0.0.1:${PORT}`;
export const LIVE = `ws://127.0.0.1:${PORT}/live`;

/** A process of the service on a data folder that outlives it. */
export class Service {
  #data = mkdtempSync(join(tmpdir(), "roundtable-live-"));
  #process;
  #exit = () => this.#process?.kill("SIGKILL");

  constructor() {
    process.once("exit", this.#exit);
  }

  async start(...flags) {
    const log = openSync(process.env.LOG ?? "/dev/null", "a");
    const command = ["--port", String(PORT), "--data-dir", this.#data, "--log-level", "ERROR", ...flags];
    this.#process = spawn(ROUNDTABLE, command, { stdio: ["ignore", log, log] });
    for (let n = 0; n < 200; n++) {
      if (await fetch(BASE).then((it) => it.ok, () => false)) return this;
      await pause(50);
    }
    throw new Error("The service did not start.");
  }

  /** Ends the process without a warning. */
  async kill() {
    this.#process.kill("SIGKILL");
    await once(this.#process, "exit");
  }

  async end() {
    await this.kill();
    process.off("exit", this.#exit);
    rmSync(this.#data, { recursive: true });
  }

  get pid() {
    return this.#process.pid;
  }

  get operator() {
    return { "x-service-admin-token": readFileSync(join(this.#data, "admin-token"), "utf8").trim() };
  }
}

/** Makes a call; an error is thrown as text. */
export async function call(path, headers, data) {
  const init = { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify({ data }) };
  const response = await fetch(BASE + path, init);
  const reply = await response.json();
  if (!response.ok) throw new Error(`${path}: ${JSON.stringify(reply)}`);
  return reply.result;
}

/** The headers of a new key; `make` makes calls. */
export async function newKey(make, operator, settings) {
  const ownerEmail = "live@example.com";
  const made = (await make("/v2/workspace/create", operator, { ownerEmail })).data;
  const workspace = { "x-service-workspace-id": made.id, "x-service-workspace-auth-token": made.authToken };
  const { apiKey } = (await make("/v2/workspace/apikey/create", workspace, { ownerEmail, createAuthToken: true, ...settings })).data;
  const tokens = await make("/v2/workspace/authtokens/get", workspace, { apiKey });
  const [, token] = JSON.stringify(tokens).match(/"token":"([^"]+)"/);
  return { "x-service-api-key": apiKey, "x-service-auth-token": token };
}

/** A new tenant with one document, and users of it. */
export class Tenant {
  static async make(service) {
    const tenant = new Tenant();
    // The record of a testing key is read for each call, because its clock may have moved.
    tenant.headers = await newKey(call, service.operator, { type: "production", defaultDocumentAccessType: "public" });
    tenant.document = { organizationId: "acme", documentId: "a/b c" };
    const documents = [{ documentId: tenant.document.documentId, documentName: "Live" }];
    await tenant.call("/v2/organizations/documents/add", { organizationId: "acme", createOrganization: true, documents });
    return tenant;
  }

  call(path, data) {
    return call(path, this.headers, data);
  }

  /** An editor of the document that holds a text. */
  async editor(editorId, data = "") {
    const editor = { ...this.document, editorId };
    await this.call("/v2/crdt/add", { ...editor, type: "text", data });
    return editor;
  }

  async token(userId, accessRole = "editor") {
    const userProperties = { name: userId, email: `${userId}@example.com` };
    const resources = [{ type: "document", id: this.document.documentId, organizationId: "acme", accessRole }];
    return (await this.call("/v2/auth/generate_token", { userId, userProperties, permissions: { resources } })).data.token;
  }

  /** What the service has of an editor. */
  async state(editor) {
    return (await this.call("/v2/crdt/state/get", editor)).data;
  }
}

/** Waits until something holds. */
export async function eventually(what, is, seconds = 30) {
  const end = Date.now() + seconds * 1000;
  while (!(await is())) {
    if (Date.now() > end) throw new Error(`It did not come about: ${what}.`);
    await pause(20);
  }
}
