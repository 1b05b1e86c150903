// Random edits of many clients while frames go wrong, the service is killed and connections roll over:
// in the end every replica is the same, and the same as the service's.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import * as Y from "yjs";

import { stateHash } from "./hash.mjs";
import { KINDS, faults, peer } from "./peers.mjs";
import { Service, Tenant, eventually } from "./service.mjs";

const EACH = 2;
const SECONDS = Number(process.env.SECONDS ?? 5);

const service = await new Service().start();
const tenant = await Tenant.make(service);
const editor = await tenant.editor("body", "Once");
const token = await tenant.token("ada");
const peers = Object.keys(KINDS).flatMap((kind) => Array.from({ length: EACH }, () => peer(kind, editor, token)));

const dice = (sides) => Math.floor(Math.random() * sides);
let edits = 0;

/** Where a text may be edited: editors never write into the middle of a character. */
function place(text) {
  const content = text.toString();
  const at = dice(content.length + 1);
  return /[\udc00-\udfff]/.test(content[at] ?? "") ? at - 1 : at;
}

/** One random edit of a text, a map or a list. */
function edit({ document, text }) {
  edits++;
  const list = document.getArray("list");
  const at = place(text);
  const character = String.fromCodePoint(text.toString().codePointAt(at) ?? 0);
  const kinds = [
    () => text.insert(at, ["a", "ñ", "😀", " "][dice(4)]),
    () => at < text.length && text.delete(at, character.length),
    () => document.getMap("map").set(`key${dice(9)}`, edits),
    () => list.insert(dice(list.length + 1), [edits]),
    () => list.length > 20 && list.delete(dice(list.length), 1),
  ];
  kinds[dice(kinds.length)]();
}

async function editFor(seconds) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await pause(5)) edit(peers[dice(peers.length)]);
}

async function converged(after) {
  faults.isOn = false;
  await eventually(`the replicas are equal ${after}`, () => new Set(peers.map(({ document }) => stateHash(document))).size === 1, 60);
  await eventually(`the service is equal ${after}`, async () => (await tenant.state(editor)).stateHash === stateHash(peers[0].document));
  const { update } = await tenant.state(editor);
  const fresh = new Y.Doc();
  Y.applyUpdate(fresh, Buffer.from(update, "base64"));
  for (const { text } of peers) assert.equal(text.toString(), fresh.getText("content").toString(), after);
  await eventually(`everything is acknowledged ${after}`, () => peers.every(({ isSaved }) => isSaved()));
  console.log(`${after}: ${peers.length} replicas equal, ${edits} edits, ${update.length} characters of state`);
}

await eventually("every client is synced", () => peers.every(({ isSynced }) => isSynced()));
await editFor(SECONDS);
await converged("undisturbed");

Object.assign(faults, { isOn: true, drop: 0.05, double: 0.1, delay: 0.3 });
await editFor(SECONDS);
await converged("after frames were dropped, doubled and overtaken");

for (let round = 0; round < 3; round++) {
  const editing = editFor(3);
  await pause(1000);
  await service.kill();
  await service.start();
  await editing;
}
await converged("after three kill -9");

// What was acknowledged is there before any client says it again.
for (let round = 0; round < 3; round++) {
  const saver = peers.find(({ kind }) => kind === "RoundtableProvider");
  const seen = [];
  const note = (unsynced) => unsynced === 0 && seen.push(Y.encodeStateVector(saver.document));
  await eventually("it is connected", () => saver.isSynced());
  saver.provider.on("unsynced", note);
  // Changes are gathered, so it takes a while until nothing is held or on its way.
  for (const end = Date.now() + 2000 + dice(500); Date.now() < end || seen.length === 0; await pause(dice(60))) {
    saver.text.insert(0, ".");
  }
  const killed = service.kill();
  saver.provider.off("unsynced", note);
  for (const { disconnect } of peers) disconnect();
  await killed;
  await service.start();
  const acknowledged = Y.decodeStateVector(seen.at(-1)).get(saver.document.clientID);
  const stored = Y.decodeStateVector(Buffer.from((await tenant.state(editor)).stateVector, "base64"));
  assert.ok(stored.get(saver.document.clientID) >= acknowledged, `${stored.get(saver.document.clientID)} < ${acknowledged}`);
  for (const { connect } of peers) connect();
}
await converged("after three kill -9 with what was acknowledged looked at");

await service.kill();
await service.start("--live-lifetime", "2", "--live-reorder");
await editFor(2 * SECONDS);
await converged("after roll-overs every 2 seconds with messages overtaking in the service");

for (const { end } of peers) end();
await service.end();
process.exit(0);
