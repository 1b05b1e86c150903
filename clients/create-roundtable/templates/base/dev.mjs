// `npm run dev`: starts the service and this app on this machine. What is stored is in .data, the API key also
// in .env.local; delete .data to begin anew. In production, the service is one of your servers, and your server
// has its key: ROUNDTABLE_URL, ROUNDTABLE_API_KEY and ROUNDTABLE_AUTH_TOKEN.
import { spawn } from "node:child_process";
import { mkdirSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { parseEnv } from "node:util";

const LOG = ".data/service.log";
const DOCUMENT = { organizationId: "acme", documentId: "launch", documentName: "Launch plan" };
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
  const flags = `--host 127.0.0.1 --port ${servicePort} --data-dir .data --env-file .env.local`;
  start(`${ROUNDTABLE} dev ${flags}`, {}, ["ignore", log, log], (status, signal) => {
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

/** Makes the document and its people, who are told of changes. */
async function makePeople() {
  for (const { id, name, email, color } of people) {
    const body = JSON.stringify({ userId: id, name, email, color, ...DOCUMENT });
    const reply = await fetch(`${url}/dev/session`, { method: "POST", body });
    if (!reply.ok) throw new Error(`${id} has no session: ${await reply.text()}`);
  }
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
await makePeople();
const [page, api] = [await freePort(PORT), await freePort(API_PORT)];
const env = { ...parseEnv(readFileSync(".env.local", "utf8")), ROUNDTABLE_DEV: "1", PORT: page, API_PORT: api };
console.log(`\n  Roundtable: ${url} (log: ${LOG})`);
for (const { id, name } of people) console.log(`  ${name}: http://localhost:${page}/?as=${id}`);
console.log("");
for (const command of process.argv.slice(2)) start(command, env, ["ignore", "inherit", "inherit"], (status) => end(status ?? 1));
