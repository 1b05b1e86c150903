// Clients and services in which one thing is wrong: the judge has to find each.
import { spawn } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OPTIONS } from "./options.mjs";
import { broken } from "./links.mjs";
import { call } from "./tenant.mjs";

const HERE = new URL(".", import.meta.url).pathname;

/** Changes of a built file of the client: what is replaced stands there once. */
const CLIENTS = {
  "a change is shown as saved when it is sent": ["uploads.js", "if (last)\n            last.changes = this.#unsent;", ""],
  "who leaves does not wait, and drops the rest": [
    ["provider.js", "if (this.unsynced === 0 || isInVain)", "if (true)"],
    ["talk.js", "this.isLeaving = true;\n        this.flush();", ""],
    ["conversation.js", "if (news.some(({ state }) => state === GONE))\n                this.#outbox.flush();", ""],
    ["provider.js", "this.#link.flush();", ""],
    ["socket.js", "if (talk?.isSettled ?? true)\n            return this.#inner.close(code, reason);", "return this.#inner.close(code, reason);"],
  ],
  "a refused change counts as saved": ["uploads.js", "const changes = Math.max(sent.changes, 1);", "const changes = 0;"],
  "what was made offline is not sent": ["provider.js", "this.#uploads.compared(novelty(this.document, stateVector, deletions));", "this.#uploads.compared(undefined);"],
  "who joins does not say who they are": ["cursors.js", "if (this.awareness.getLocalState() !== null)\n            this.#say();", "this.#sent = JSON.stringify(this.awareness.getLocalState());"],
  "an acknowledgement counts twice": ["provider.js", "this.#uploads.answered(answer);", "(this.#uploads.answered(answer), this.#uploads.answered(answer));"],
  "events of a break are not asked for": ["document.js", "this.#position === undefined ? {} : { since: this.#position }", "{}"],
  "an event is told twice": ["document.js", "if (this.#seen.has(event.position))\n            return;", ""],
  "a gap is not told": ["document.js", "if (!isComplete)\n            this.emit(\"reset\");", ""],
  "a lost right is not told": [
    ["document.js", "return this.end(frame);", "return;"],
    ["events.js", "document?.end(error);", ""],
  ],
  "a closed editor is not told": ["provider.js", "this.emit(\"closed\", why);", ""],
  "connects again for ever": ["link.js", "if (isPermanent(code))", "if (false)"],
  "a number of an earlier end is answered": ["provider.js", "if (!this.#left || !this.#leaving)\n            this.#leaving = this.#leave();", "this.#leaving ??= this.#leave();"],
  "what a local store brings counts as saved": ["provider.js", "this.document.store.clients.size > 0", "false"],
  "who connects once more never is connected": ["events.js", "if (this.#status !== \"disconnected\")\n            return;", ""],
  "who cannot have a token does not wait": ["link.js", "this.#socket?.fail(code, reason);", "const socket = this.#socket;\n        if (!socket)\n            return;\n        this.#lost(socket, code, reason);\n        socket.close(1000);"],
  "who follows again is ended by the end before": ["document.js", "this.#ends.left(this.#isSubscribed);", "this.#ends.left();\n        this.#ends.send({ type: \"unsubscribe\", ...this.address });"],
  "who comes back from the cache is not seen": ["provider.js", "this.awareness.setLocalState(this.#hidden);", "{}"],
  "large live state is not read": ["document.js", "return void this.#read(value.liveStateDataId);", "return;"],
  "who is present is forgotten": ["document.js", "for (const user of users)\n            this.#users.set(user.userId, user);", ""],
  "one refusal ends all saving": ["conversation.js", "if (!REFUSALS[dialect].includes(code))", "if (code !== Code.forbidden)"],
  "what follows a refusal is shown as saved": ["uploads.js", "this.#refused += changes;", ""],
  "a right that was gained is not used": ["provider.js", "if (wasHeld && !this.#uploads.isHeld)\n                this.resync();", ""],
};

const isText = (data) => !String(data).startsWith("{");

/** What the service does wrong, as a screen sees it. */
const SERVICES = {
  "a deleted editor comes back": () => {
    broken.deleted = (tenant, address, update) => tenant.call("/v2/crdt/updates/add", { ...address, type: "text", updates: [update] });
  },
  "a refused change is acknowledged": () => {
    broken.heard = (data, url) => {
      if (!isText(data) || !url.includes("protocol=hocuspocus")) return data;
      const parts = String(data).split(" ").map((part) => {
        const bytes = Buffer.from(part, "base64");
        const isStatus = bytes.length > 2 && bytes.at(-2) === 8 && bytes.at(-1) === 0 && bytes.length === bytes[0] + 3;
        if (isStatus) bytes[bytes.length - 1] = 1;
        return bytes.toString("base64");
      });
      return Buffer.from(parts.join(" "));
    };
  },
  "a notification is lost": () => {
    broken.heard = (data) => (String(data).includes('"type":"notification"') ? undefined : data);
  },
  "a notice is lost": () => {
    let count = 0;
    broken.heard = (data) => (String(data).includes('"type":"event"') && count++ % 4 === 3 ? undefined : data);
  },
};

/** The service of this process is made wrong. */
export function breakService(name) {
  if (!(name in SERVICES)) throw new Error(`${name} is no mutant.`);
  SERVICES[name]();
}

/** The changes of a mutant of the client. */
const changes = (name) => [CLIENTS[name]].flatMap((it) => (typeof it[0] === "string" ? [it] : it));

/** What mutants replace and the client does not have once: they would be made no more. */
export function stale() {
  const live = join(HERE, "node_modules/roundtable/dist/live");
  const all = Object.keys(CLIENTS).flatMap((name) => changes(name).map(([file, text]) => ({ name, file, text })));
  return all.filter(({ file, text }) => readFileSync(join(live, file), "utf8").split(text).length !== 2);
}

/** A copy of the judge whose client is made wrong. */
function copied(name, number) {
  const folder = join(HERE, "mutants", String(number));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  const files = readdirSync(HERE).filter((file) => file.endsWith(".mjs") || file === "package.json");
  for (const file of files) copyFileSync(join(HERE, file), join(folder, file));
  cpSync(join(HERE, "node_modules/roundtable"), join(folder, "node_modules/roundtable"), { recursive: true });
  if (!(name in CLIENTS)) return folder;
  for (const [file, text, other] of changes(name)) {
    const path = join(folder, "node_modules/roundtable/dist/live", file);
    writeFileSync(path, readFileSync(path, "utf8").replace(text, () => other));
  }
  return folder;
}

/** Runs programs against each mutant until one finds it; answers whether all were found. */
export async function judgeMutants(wanted) {
  const names = [...Object.keys(CLIENTS), ...Object.keys(SERVICES)].filter((name) => name.includes(wanted));
  let survivors = 0;
  for (const [number, name] of names.entries()) {
    const folder = copied(name, number);
    const { seed, programs, parallel, known } = OPTIONS;
    const command = ["screens.mjs", "--seed", seed, "--programs", programs, "--parallel", parallel, "--faults", 1, "--whole", ...(known ? [] : ["--only-seeds"])].map(String);
    const env = { ...process.env, BROKEN: name in SERVICES ? name : "", QUIET_MS: "4000", PORT: String(Number(process.env.PORT ?? 3932) + 1) };
    const child = spawn(process.execPath, command, { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
    const end = () => (child.kill(), process.exit(1));
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, end);
    let said = "";
    child.stdout.on("data", (data) => (said += data));
    await new Promise((resolve) => child.once("exit", resolve));
    for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, end);
    const found = said.match(/^after (\d+) programs: (.*)$/m);
    if (!found) survivors++;
    console.log(found ? `${name}: found by program ${found[1]}: ${found[2].slice(0, 200)}` : `${name}: survives\n${said.slice(-600)}`);
  }
  console.log(`${names.length - survivors} of ${names.length} mutants found`);
  return survivors === 0;
}
