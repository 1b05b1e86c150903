// The service as a process of its own, in production behind a proxy, with the tenants that play.
import { spawn } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { mkdtempSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { NOISE, clocks, typed } from "./wire.mjs";

const { ROUNDTABLE } = process.env;
const ADMIN = randomBytes(16).toString("hex");
export const ORGANIZATION = "acme";
export const DOCUMENT = "d";
/** Letters of the editors that are too large for a frame, in thousands: of the one that users open, and of
 * the one that attackers do. */
const EDITORS = { medium: 100, large: 1_500 };
/** Letters of an editor that a frame of the live channel just takes. */
const PAGE = 65_000;
const PART = 250_000;
/** Fewer open files, and so connections, than a server should have, so that what fills them is soon there. */
const FILES = 800;
/** The rank of the service and of those who work with it, and of those who attack: on a network, these have
 * processors of their own. */
export const FIRST = -10;
export const LAST = 5;
/** How many users each tenant has who do their work, and how many who attack together. */
export const USERS = 12;
const ATTACKERS = 16;

/** One process of the service, with no data at first. */
export class Host {
  #data = mkdtempSync(join(tmpdir(), "roundtable-strangers-"));
  #process;
  #end = () => this.#process?.kill("SIGKILL");

  /** Starts a process, without the bounds that `lifted` names: only a debug build does without any. */
  static async start(lifted = "") {
    const host = new Host();
    [host.port, host.metrics] = [await freePort(), await freePort()];
    const url = `http://127.0.0.1:${host.port}`;
    const command = ["--mode", "production", "--public-url", url, "--port", host.port, "--data-dir", join(host.#data, "data")];
    command.push("--trusted-proxies", "127.0.0.1", "--metrics-listen", `127.0.0.1:${host.metrics}`);
    command.push("--durability", "process", "--log-level", "WARN");
    const log = openSync(join(host.#data, "log"), "a", 0o600);
    const env = { ...process.env, ADMIN_TOKEN: ADMIN, ROUNDTABLE_LIFTED: lifted };
    process.once("exit", host.#end);
    const limited = ["-c", `ulimit -n ${FILES} && exec "$0" "$@"`, ROUNDTABLE, ...command.map(String)];
    host.#process = spawn("sh", limited, { stdio: ["ignore", log, log], env, detached: true });
    rank(host.#process.pid, FIRST);
    host.#process.once("exit", (code, signal) => (host.ended = code ?? signal));
    for (let n = 0; host.ended === undefined && n < 300; n++) {
      if (await fetch(`${url}/health`).then((it) => it.ok, () => false)) return host;
      await pause(50);
    }
    throw new Error(`The service does not start: ${readFileSync(join(host.#data, "log"), "utf8")}`);
  }

  /** Megabytes of memory that the process has. */
  get megabytes() {
    try {
      const [, kilobytes] = readFileSync(`/proc/${this.#process.pid}/status`, "utf8").match(/VmRSS:\s+(\d+)/);
      return Math.round(Number(kilobytes) / 1024);
    } catch {
      return 0;
    }
  }

  /** Processor time of the process, in seconds. */
  get seconds() {
    const [user, system] = readFileSync(`/proc/${this.#process.pid}/stat`, "utf8").split(") ")[1].split(" ").slice(11, 13);
    return (Number(user) + Number(system)) / 100;
  }

  /** Open files of the process. */
  get files() {
    return readdirSync(`/proc/${this.#process.pid}/fd`).length;
  }

  /** The last lines of its log. */
  get lastWords() {
    return readFileSync(join(this.#data, "log"), "utf8").split("\n").slice(-12).join("\n");
  }

  /** Makes a call; one that is refused is thrown. */
  async call(path, headers, data) {
    const reply = await fetch(`http://127.0.0.1:${this.port}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ data }),
    });
    const body = await reply.json();
    if (!reply.ok) throw Object.assign(new Error(`${path}: ${JSON.stringify(body)}`), { status: reply.status });
    return body.result;
  }

  async end() {
    this.#process.kill("SIGKILL");
    while (this.ended === undefined) await pause(10);
    process.off("exit", this.#end);
    rmSync(this.#data, { recursive: true });
  }
}


/** Makes the tenants, and what the other processes have to know of them: `target`, whose users attack as
 * well, `other`, `foreign` and `fellow`, who only attack, and `gone`, whose key was disabled after its tokens
 * were issued. */
export async function settle(host) {
  const admin = { "x-service-admin-token": ADMIN };
  const names = ["target", "other", "foreign", "fellow", "gone"];
  const [target, other, foreign, fellow, gone] = await Promise.all(names.map((name) => Tenant.make(host, admin, name)));
  for (const [editor, thousands] of Object.entries(EDITORS)) await target.add(editor, thousands * 1_000);
  const cast = { port: host.port, metrics: host.metrics };
  for (const [name, tenant] of Object.entries({ target, other, foreign, fellow, gone })) cast[name] = await tenant.cast();
  await gone.disable();
  return { tenants: { target, other, foreign }, cast };
}

/** Lets a process with a session of its own go before other work of the machine, or after it, where that is
 * allowed. Otherwise what the machine does besides is in the idle values as well. */
export function rank(pid, nice) {
  for (const set of [() => setPriority(pid, nice), () => writeFileSync(`/proc/${pid}/autogroup`, String(nice))]) {
    try {
      set();
    } catch {
      // Not by this user, or not on this system.
    }
  }
}

/** A key with a document that only those edit who were given the right. */
export class Tenant {
  static async make(host, admin, name) {
    const ownerEmail = `${name}@example.com`;
    const workspace = (await host.call("/v2/workspace/create", admin, { ownerEmail })).data;
    const owner = { "x-service-workspace-id": workspace.id, "x-service-workspace-auth-token": workspace.authToken };
    const key = { ownerEmail, type: "production", createAuthToken: true, defaultDocumentAccessType: "restricted" };
    const { apiKey } = (await host.call("/v2/workspace/apikey/create", owner, key)).data;
    const tokens = await host.call("/v2/workspace/authtokens/get", owner, { apiKey });
    const [, token] = JSON.stringify(tokens).match(/"token":"([^"]+)"/);
    const tenant = Object.assign(new Tenant(), { host, owner, headers: { "x-service-api-key": apiKey, "x-service-auth-token": token } });
    const documents = [{ documentId: DOCUMENT, documentName: name }];
    await tenant.call("/v2/organizations/documents/add", { organizationId: ORGANIZATION, createOrganization: true, documents });
    for (const editor of ["e", "small", "crowd", "begun"]) await tenant.add(editor);
    await tenant.add("page", PAGE);
    return tenant;
  }

  call(path, data) {
    return this.host.call(path, this.headers, data);
  }

  /** Has the service refuse its tokens from now on. */
  disable() {
    return this.host.call("/v2/workspace/apikey/update", this.owner, { apiKey: this.headers["x-service-api-key"], disabled: true });
  }

  /** Adds an editor with so many letters. */
  async add(editor, letters = 0) {
    await this.call("/v2/crdt/add", { ...this.editor(editor), type: "text", data: "" });
    for (let at = 0; at < letters; at += PART) {
      const updates = [typed(at + 1, 0, NOISE.subarray(at, Math.min(at + PART, letters))).toString("base64")];
      await this.call("/v2/crdt/updates/add", { ...this.editor(editor), updates });
    }
  }

  editor(editorId) {
    return { organizationId: ORGANIZATION, documentId: DOCUMENT, editorId };
  }

  async #token(userId, accessRole) {
    const userProperties = { name: userId, email: `${userId}@example.com` };
    const resources = [{ type: "document", id: DOCUMENT, organizationId: ORGANIZATION, accessRole }];
    return (await this.call("/v2/auth/generate_token", { userId, userProperties, permissions: { resources } })).data.token;
  }

  /** What a process has to know of it. */
  async cast() {
    const users = await Promise.all(Array.from({ length: USERS }, (_, n) => this.#token(`u${n}`, "editor")));
    const several = (name, role) => Promise.all(Array.from({ length: ATTACKERS }, (_, n) => this.#token(`${name}${n}`, role)));
    const [readers, writers] = await Promise.all([several("eve", "viewer"), several("mal", "editor")]);
    return { headers: this.headers, users, readers, writers, forged: users.map((_, n) => forged(this.headers["x-service-api-key"], `u${n}`)) };
  }

  /** The clocks of all that an editor has. */
  async clocks(editorId) {
    for (let stateVector; ; ) {
      const { data } = await this.call("/v2/crdt/state/get", { ...this.editor(editorId), ...(stateVector && { stateVector }) });
      if (data.isComplete) return clocks(Buffer.from(data.stateVector, "base64"));
      stateVector = data.stateVector;
    }
  }
}

/** A token for a user of a key that nobody has signed. */
function forged(apiKey, sub) {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part({ alg: "HS256", kid: "k1", typ: "JWT" })}.${part({ sub, apiKey, exp: 4_000_000_000 })}`;
  return `${text}.${createHmac("sha256", "a key of nobody").update(text).digest("base64url")}`;
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
