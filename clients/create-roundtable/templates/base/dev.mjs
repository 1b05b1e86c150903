// `npm run dev`: starts the service and this app on this machine. What is stored, and the API key, are in
// .data; delete it to begin anew. In production, the service is one of your servers, and your server has its
// key: ROUNDTABLE_URL, ROUNDTABLE_API_KEY and ROUNDTABLE_AUTH_TOKEN.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { Roundtable } from "roundtable";

const LOG = ".data/service.log";
const KEYS = ".data/app.json";
const DOCUMENT = { organizationId: "acme", documentId: "launch" };
const people = JSON.parse(readFileSync("people.json", "utf8"));
const { ROUNDTABLE = "roundtable", ROUNDTABLE_PORT = "3000", PORT = "5173", API_PORT = "8000" } = process.env;
const children = new Set();

/** Ends everything that was started; in a group of their own, because a shell is in between. */
function end(status) {
  for (const child of children) {
    try {
      process.kill(-child.pid, "SIGTERM");
    } catch {
      // It has ended.
    }
  }
  process.exit(status);
}

function start(command, env, stdio, ended) {
  const child = spawn(command, { shell: true, detached: true, env: { ...process.env, ...env }, stdio });
  children.add(child);
  child.on("exit", (status, signal) => {
    children.delete(child);
    ended(status, signal);
  });
}

const isFree = (port) =>
  new Promise((resolve) => {
    const server = createServer().on("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });

async function freePort(first) {
  for (let port = Number(first); port < Number(first) + 20; port += 1) if (await isFree(port)) return String(port);
  throw new Error(`No port from ${first} on is free.`);
}

async function isReady() {
  const reply = await fetch(`${url}/ready`).catch(() => undefined);
  return reply?.ok === true;
}

function startService() {
  const log = openSync(LOG, "a", 0o600);
  const flags = `--host 127.0.0.1 --port ${servicePort} --data-dir .data`;
  start(`${ROUNDTABLE} ${flags}`, {}, ["ignore", log, log], (status, signal) => {
    // A shell answers 128 and the signal of what it ran.
    if (signal || status > 128) {
      console.error("The service was killed, and starts again.");
      setTimeout(startService, 1_000);
      return;
    }
    const lines = readFileSync(LOG, "utf8").trim().split("\n").slice(-5);
    console.error(`The service has ended (${status}):\n${lines.join("\n")}`);
    end(1);
  });
}

/** An API key with an organization, a document and its people, whose changes notify them. */
async function makeKeys() {
  // The service writes no token that it is given.
  const adminToken = process.env.ADMIN_TOKEN || readFileSync(".data/admin-token", "utf8").trim();
  const admin = new Roundtable(url, { adminToken });
  const { data: made } = await admin.operator.workspaceCreate({ ownerEmail: "you@example.com" });
  const [apiKey] = Object.keys(made.apiKeyList);
  const { workspace } = admin.as({ workspaceId: made.id, workspaceAuthToken: made.authToken });
  const { data } = await workspace.authTokensGet({ apiKey });
  const authToken = data.authTokens[0].token;
  const { organizations, documents, users, configuration } = admin.as({ apiKey, authToken });
  const { organizationId, documentId } = DOCUMENT;
  await organizations.add({ organizations: [{ organizationId, organizationName: "Acme" }] });
  await documents.add({ organizationId, documents: [{ documentId, documentName: "Launch plan" }] });
  await users.add({ organizationId, users: people.map(({ id, name, email }) => ({ userId: id, name, email })) });
  await configuration.notificationsUpdate({ useNotificationService: true });
  const keys = { ROUNDTABLE_API_KEY: apiKey, ROUNDTABLE_AUTH_TOKEN: authToken };
  writeFileSync(KEYS, JSON.stringify(keys), { mode: 0o600 });
  return keys;
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => end(0));
process.on("uncaughtException", (error) => {
  console.error(error);
  end(1);
});
const { ppid } = process;
// npm hands signals on to a shell, which ends and leaves this process alone.
setInterval(() => process.ppid === ppid || end(0), 500).unref();

mkdirSync(".data", { recursive: true, mode: 0o700 });
const servicePort = await freePort(ROUNDTABLE_PORT);
const url = `http://127.0.0.1:${servicePort}`;
startService();
while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 50));
const keys = existsSync(KEYS) ? JSON.parse(readFileSync(KEYS, "utf8")) : await makeKeys();
const [page, api] = [await freePort(PORT), await freePort(API_PORT)];
const env = {
  ...keys,
  ROUNDTABLE_URL: url,
  VITE_ROUNDTABLE_URL: url,
  ROUNDTABLE_DEV: "1",
  PORT: page,
  API_PORT: api,
};
console.log(`\n  Roundtable: ${url} (log: ${LOG})`);
for (const { id, name } of people) console.log(`  ${name}: http://localhost:${page}/?as=${id}`);
console.log("");
for (const command of process.argv.slice(2)) start(command, env, ["ignore", "inherit", "inherit"], (status) => end(status ?? 1));
