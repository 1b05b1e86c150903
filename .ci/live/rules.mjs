// What must hold on the live channel, one rule after the other, for each kind of client.
import "fake-indexeddb/auto";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { IndexeddbPersistence } from "y-indexeddb";
import { LiveEvents, roundtableSocket } from "roundtable/live";
import { RoundtableProvider } from "roundtable/live/provider";
import WebSocket from "ws";
import * as Y from "yjs";

import { stateHash } from "./hash.mjs";
import { KINDS, peer } from "./peers.mjs";
import { picturesComeBack } from "./pictures.mjs";
import { all, names, rules } from "./rule.mjs";
import { LIVE, Service, Tenant, eventually } from "./service.mjs";

console.warn = () => {}; // y-websocket writes tokens there
const service = await new Service().start();
const tenant = await Tenant.make(service);
const token = await tenant.token("ada");
const rule = rules(
  tenant,
  "editor",
  (editor) => Object.keys(KINDS).map((kind) => peer(kind, editor, token)),
  ({ isSynced, text }) => isSynced() && text.length === 4,
);

await rule("what is changed over REST reaches editors", async (editor, peers) => {
  await tenant.call("/v2/crdt/update", { ...editor, type: "text", data: "Once upon a time" });
  await eventually("it reaches them", () => all(peers, "Once upon a time"));
});

await rule("what is larger than a frame goes both ways", async (editor, peers) => {
  for (const { text } of peers) text.insert(0, "x".repeat(120_000));
  await eventually("it reaches them", () => peers.every(({ text }) => text.length === 4 + peers.length * 120_000), 60);
  const late = peer("y-websocket 3.1.0", editor, token);
  await eventually("it reaches who comes later", () => late.text.length === 4 + peers.length * 120_000, 60);
  assert.equal((await tenant.state(editor)).stateHash, stateHash(late.document));
  late.end();
});

await rule("a picture of 4 MB is one value that comes back", (editor, peers) =>
  picturesComeBack(tenant, editor, peers, (n) => peer(Object.keys(KINDS)[n], editor, token)));

await rule("a viewer sees, and changes nothing", async (editor, peers) => {
  const viewer = await tenant.token("vera", "viewer");
  const viewers = Object.keys(KINDS).map((kind) => peer(kind, editor, viewer));
  await eventually("viewers see", () => all(viewers, "Once"));
  const before = await tenant.state(editor);
  for (const { text } of viewers) text.insert(0, "No. ");
  viewers[0].text.insert(0, "x".repeat(50_000)); // goes by HTTPS
  peers[0].text.insert(4, "!");
  await eventually("editors go on", () => all(peers, "Once!"));
  for (const { end } of viewers) end();
  const { stateHash: after } = await tenant.state(editor);
  assert.equal(after, stateHash(peers[0].document));
  assert.notEqual(after, before.stateHash);
});

await rule("everybody sees everybody's cursor, and none of who has gone", async (editor, peers) => {
  peers.forEach(({ awareness }, n) => awareness.setLocalStateField("user", { name: `u${n}` }));
  await eventually("all cursors", () => peers.every((it) => names(it) === "u0 u1 u2 u3"));
  const late = peer("y-websocket 3.1.0", editor, token);
  await eventually("who comes later sees them", () => names(late) === "u0 u1 u2 u3");
  late.end();
  for (const [n, kind] of Object.keys(KINDS).entries()) {
    const child = spawn(process.execPath, [new URL("ghost.mjs", import.meta.url).pathname, kind, JSON.stringify(editor), token]);
    await eventually(`${kind} is there`, () => names(peers[0]).includes("ghost"));
    // Stopped, it keeps its connection and says nothing more; killed, the connection breaks.
    child.kill(n === 0 ? "SIGSTOP" : "SIGKILL");
    const began = Date.now();
    await eventually(`${kind} is not there any more`, () => peers.every((it) => !names(it).includes("ghost")), 75);
    console.log(`  ${n === 0 ? "stopped" : "killed"} ${kind}: gone after ${Date.now() - began} ms`);
    child.kill("SIGKILL");
  }
  assert.equal(names(peers[0]), "u0 u1 u2 u3");
});

await rule("what is changed offline is kept by y-indexeddb and sent later", async (editor, peers) => {
  const offline = new Y.Doc();
  await new IndexeddbPersistence("offline", offline).whenSynced;
  Y.applyUpdate(offline, Y.encodeStateAsUpdate(peers[0].document));
  offline.getText("content").insert(4, ", offline");
  await new Promise((resolve) => setTimeout(resolve, 200));
  const document = new Y.Doc();
  await new IndexeddbPersistence("offline", document).whenSynced;
  const provider = new RoundtableProvider({ ...editor, url: LIVE, token, document, WebSocket });
  await eventually("it reaches them", () => all(peers, "Once, offline") && provider.unsynced === 0);
  provider.destroy();
});

await rule("what is refused for good is not tried again", async (editor) => {
  const tries = [];
  class Counted extends WebSocket {
    constructor(url, protocols) {
      tries.push(url);
      super(url, protocols);
    }
  }
  const closed = [];
  for (const [wrong, bearer, codes] of [[editor, "nonsense", [4401, 4403]], [{ ...editor, documentId: "absent" }, token, [4403, 4404]]]) {
    const provider = new RoundtableProvider({ ...wrong, url: LIVE, token: bearer, document: new Y.Doc(), WebSocket: Counted });
    provider.on("closed", ({ code }) => closed.push(codes.includes(code) || code));
    const { WebsocketProvider } = await import("y-websocket");
    const { roomOf } = await import("roundtable/live");
    const stock = new WebsocketProvider(LIVE, roomOf(wrong), new Y.Doc(), { WebSocketPolyfill: roundtableSocket({ WebSocket: Counted }), params: { token: bearer }, disableBc: true });
    stock.on("closed", ({ code }) => closed.push(codes.includes(code) || code));
    await eventually("both are told", () => closed.length % 2 === 0 && closed.length > 0);
  }
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  assert.deepEqual([closed, tries.length], [[true, true, true, true], 4]);
});

await rule("a user who is locked out is thrown out within ten seconds, without a message of anybody", async (editor, peers) => {
  const closed = [];
  peers[0].provider.on("closed", ({ code }) => closed.push(code));
  peers.at(-1).provider.on("closed", ({ code }) => closed.push(code));
  const disable = { organizationId: "acme", documentIds: [editor.documentId] };
  const path = "/v2/organizations/documents/access/disablestate/update";
  await tenant.call(path, { ...disable, disabled: true });
  const began = Date.now();
  await eventually("they are thrown out", () => closed.length === 2, 15);
  console.log(`  after ${Date.now() - began} ms with ${closed}`);
  assert.ok(closed.every((code) => code >= 4400 && code < 4500) && Date.now() - began < 10_000);
  await tenant.call(path, { ...disable, disabled: false });
});

await rule("comments, presence, live state and notifications are told as they happen", async () => {
  const { organizationId, documentId } = tenant.document;
  const bob = await tenant.token("bob");
  await tenant.call("/v2/users/add", { organizationId, users: ["ada", "bob"].map((userId) => ({ userId, name: userId, email: `${userId}@example.com` })) });
  await tenant.call("/v2/workspace/notificationconfig/update", { useNotificationService: true });
  const [adas, bobs] = [token, bob].map((it) => new LiveEvents({ url: LIVE, token: it, WebSocket }));
  const told = [];
  const live = bobs.document(tenant.document);
  live.on("event", ({ name }) => told.push(name));
  live.on("liveState", ({ data }) => told.push(data.slide));
  bobs.on("notification", () => told.push("notification"));
  bobs.me(organizationId);
  adas.document(tenant.document).setPresence("online");
  await eventually("Ada is there", () => live.users.some(({ userId }) => userId === "ada"));
  const contact = { userId: "bob", name: "bob", email: "bob@example.com" };
  const comment = { from: { userId: "ada" }, commentText: "@bob", taggedUserContacts: [{ userId: "bob", contact }], triggerNotification: true };
  await tenant.call("/v2/commentannotations/add", { organizationId, documentId, commentAnnotations: [{ commentData: [comment] }] });
  await tenant.call("/v2/livestate/broadcast", { organizationId, documentId, liveStateDataId: "slides", data: { slide: 7 } });
  await eventually("all of it is told", () => ["comment_annotation.add", 7, "notification"].every((it) => told.includes(it)));
  adas.disconnect();
  await eventually("Ada has gone", () => !live.users.some(({ userId }) => userId === "ada"));
  live.on("reset", () => told.push("reset"));
  told.length = 0;
  bobs.disconnect();
  await tenant.call("/v2/commentannotations/add", { organizationId, documentId, commentAnnotations: [{ commentData: [comment] }] });
  bobs.connect();
  await eventually("what happened meanwhile is told", () => told.includes("comment_annotation.add"));
  assert.ok(!told.includes("reset"));
  bobs.disconnect();
});

await service.end();
process.exit(0);
