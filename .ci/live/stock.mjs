// Stock providers as their own documentation shows them, without a package of ours: y-websocket at
// /live/y, Hocuspocus at /live/hocuspocus. Clients of all kinds share an editor while connections
// break and the service is killed; large documents, viewers and new tokens.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { HocuspocusProvider, HocuspocusProviderWebsocket } from "@hocuspocus/provider";
import * as v3 from "@hocuspocus/provider-v3";
import WebSocket from "ws";
import { WebsocketProvider } from "y-websocket";
import * as Y from "yjs";

import { stateHash } from "./hash.mjs";
import { picturesComeBack } from "./pictures.mjs";
import { all, names, rules } from "./rule.mjs";
import { LIVE, Service, Tenant, eventually } from "./service.mjs";

globalThis.WebSocket ??= WebSocket;
console.warn = () => {}; // y-websocket writes tokens there
const SECONDS = Number(process.env.SECONDS ?? 5);
const dice = (sides) => Math.floor(Math.random() * sides);

/** The sockets of a client, to break them. */
function breakable() {
  const sockets = new Set();
  class Socket extends WebSocket {
    constructor(...values) {
      super(...values);
      sockets.add(this);
      this.on("close", () => sockets.delete(this));
    }
  }
  return { Socket, cut: () => sockets.forEach((socket) => socket.terminate()) };
}

const hocuspocus = ({ HocuspocusProvider, HocuspocusProviderWebsocket }) => (room, token) => {
  const { Socket, cut } = breakable();
  const websocketProvider = new HocuspocusProviderWebsocket({ url: `${LIVE}/hocuspocus`, WebSocketPolyfill: Socket, delay: 200, minDelay: 200, maxDelay: 1000 });
  const provider = new HocuspocusProvider({ websocketProvider, name: room, token });
  provider.attach();
  const client = { document: provider.document, awareness: provider.awareness, provider, denied: 0, closed: [], cut };
  provider.on("authenticationFailed", () => client.denied++);
  provider.on("close", ({ event }) => client.closed.push(event.code));
  client.isSynced = () => provider.isSynced;
  client.isSaved = () => provider.unsyncedChanges === 0;
  client.end = () => (provider.destroy(), websocketProvider.destroy());
  return client;
};

const KINDS = {
  "y-websocket": (room, token) => {
    const { Socket, cut } = breakable();
    const document = new Y.Doc();
    const provider = new WebsocketProvider(`${LIVE}/y`, room, document, { WebSocketPolyfill: Socket, params: { token }, disableBc: true });
    const client = { document, awareness: provider.awareness, provider, closed: [], cut };
    provider.on("closed", ({ code }) => client.closed.push(code));
    client.isSynced = () => provider.synced;
    client.isSaved = () => true;
    client.end = () => provider.destroy();
    return client;
  },
  "@hocuspocus/provider 4": hocuspocus({ HocuspocusProvider, HocuspocusProviderWebsocket }),
  "@hocuspocus/provider 3": hocuspocus(v3),
};

const connect = (kind, editor, token) => {
  const room = [editor.organizationId, editor.documentId, editor.editorId].map(encodeURIComponent).join("/");
  const client = KINDS[kind](room, token);
  return { kind, ...client, client, text: client.document.getText("content") };
};

/** Text that is stored compressed, as an editor has 4.3 MB then. */
const SENTENCES = Array.from({ length: 8 }, () => Array.from({ length: 12 }, () => Math.random().toString(36).slice(2, 4 + dice(6))).join(" "));
function words(length) {
  const text = [];
  for (let now = 0; now < length; now += text.at(-1).length) text.push(`${SENTENCES[dice(8)]}. `);
  return text.join("").slice(0, length);
}

const service = await new Service().start();
const tenant = await Tenant.make(service);
const token = await tenant.token("ada");
const rule = rules(
  tenant,
  "stock",
  (editor) => Object.keys(KINDS).flatMap((kind) => [connect(kind, editor, token), connect(kind, editor, token)]),
  ({ isSynced, text }) => isSynced() && text.length >= 4,
);

async function converged(editor, peers, seconds = 60) {
  await eventually("the replicas are equal", () => new Set(peers.map(({ document }) => stateHash(document))).size === 1, seconds);
  await eventually("the service is equal", async () => (await tenant.state(editor)).stateHash === stateHash(peers[0].document), seconds);
  await eventually("everything is acknowledged", () => peers.every(({ isSaved }) => isSaved()), seconds);
}

function edit({ text, document }) {
  const list = document.getArray("list");
  const kinds = [
    () => text.insert(dice(text.length + 1), "abc"[dice(3)]),
    () => text.length > 0 && text.delete(dice(text.length), 1),
    () => list.insert(dice(list.length + 1), [dice(99)]),
    () => document.getMap("map").set(`key${dice(9)}`, dice(99)),
  ];
  kinds[dice(kinds.length)]();
}

await rule("two clients of each kind converge, with cursors", async (editor, peers) => {
  peers.forEach(({ awareness }, n) => awareness.setLocalStateField("user", { name: `u${n}` }));
  peers.forEach((peer) => edit(peer));
  await eventually("all cursors", () => peers.every((it) => names(it) === "u0 u1 u2 u3 u4 u5"));
  await converged(editor, peers);
  await tenant.call("/v2/crdt/update", { ...editor, type: "text", data: "Once upon a time" });
  await eventually("what is changed over REST reaches them", () => all(peers, "Once upon a time"));
  peers.pop().end();
  await eventually("who leaves is seen", () => peers.every((it) => names(it) === "u0 u1 u2 u3 u4"));
});

await rule("a picture of 4 MB is one value that comes back", (editor, peers) =>
  picturesComeBack(tenant, editor, peers, (n) => connect(peers[n].kind, editor, token)));

await rule("a viewer sees, and changes nothing", async (editor, peers) => {
  const viewer = await tenant.token("vera", "viewer");
  const viewers = Object.keys(KINDS).map((kind) => connect(kind, editor, viewer));
  await eventually("viewers see", () => all(viewers, "Once"));
  for (const { text } of viewers) text.insert(0, "No. ");
  for (const { text } of viewers) text.insert(0, "x".repeat(50_000));
  peers[0].text.insert(4, "!");
  await eventually("editors go on", () => all(peers, "Once!"));
  await eventually("viewers see it", () => viewers.every(({ text }) => text.toString().endsWith("Once!")));
  await pause(500);
  assert.ok(all(peers, "Once!") && viewers.slice(1).every(({ isSaved }) => !isSaved()));
  assert.equal((await tenant.state(editor)).stateHash, stateHash(peers[0].document));
  for (const { end } of viewers) end();
});

await rule("a token that is refused stops y-websocket, and is told to Hocuspocus", async (editor, peers) => {
  const [stopped, ...denied] = Object.keys(KINDS).map((kind) => connect(kind, editor, "nonsense"));
  await eventually("they are told", () => stopped.client.closed.length === 1 && denied.every(({ client }) => client.denied === 1));
  assert.ok([4401, 4403].includes(stopped.client.closed[0]), stopped.client.closed);
  const absent = connect("y-websocket", { ...editor, documentId: "absent" }, token);
  await eventually("it is told", () => [4403, 4404].includes(absent.client.closed[0]));
  for (const { end } of [stopped, absent, ...denied]) end();
  assert.ok(all(peers, "Once"));
});

await rule("a new token is taken on the same connection, and with new params", async (editor, peers) => {
  const renewed = await tenant.token("ada");
  for (const { provider, kind } of peers) {
    if (kind === "y-websocket") provider.params = { token: renewed };
    else provider.configuration.token = renewed;
    await provider.sendToken?.();
  }
  peers[2].text.insert(0, "after ");
  await converged(editor, peers);
  peers[0].cut();
  await eventually("it is back", () => peers[0].isSynced());
  assert.deepEqual(peers.slice(2).map(({ client }) => client.closed), [[], [], [], []]);
});

await rule("connections break at any time", async (editor, peers) => {
  for (const end = Date.now() + SECONDS * 1000; Date.now() < end; await pause(5)) {
    edit(peers[dice(peers.length)]);
    if (dice(50) === 0) peers[dice(peers.length)].cut();
  }
  await converged(editor, peers);
});

await rule("the service is killed and comes back", async (editor, peers) => {
  for (let round = 0; round < 3; round++) {
    const editing = (async () => {
      for (const end = Date.now() + 3000; Date.now() < end; await pause(5)) edit(peers[dice(peers.length)]);
    })();
    await pause(1000);
    await service.kill();
    await service.start();
    await editing;
  }
  await converged(editor, peers);
});

for (const megabytes of (process.env.LARGE_MB ?? "0.2,5,15").split(",").map(Number)) {
  await rule(`a document of ${megabytes} MB goes in and out`, async (editor, peers) => {
    for (const { end } of peers.splice(2)) end();
    const [first] = peers;
    const began = Date.now();
    first.text.insert(0, words(megabytes * 1_000_000)); // one message
    await eventually("it is stored", async () => (await tenant.state(editor)).stateHash === stateHash(first.document), 240);
    const stored = Date.now();
    await eventually("it reaches who is there", () => all(peers, first.text.toString()), 120);
    const seen = Date.now();
    const late = [];
    for (const kind of Object.keys(KINDS)) {
      const joins = Date.now();
      late.push(connect(kind, editor, token));
      await eventually(`${kind} joins`, () => late.at(-1).text.length === first.text.length, 120);
      console.log(`  ${kind} joins in ${Date.now() - joins} ms`);
    }
    late.at(-1).text.insert(0, "!");
    await converged(editor, [...peers, ...late], 120);
    for (const { end } of late) end();
    console.log(`  stored after ${stored - began} ms, seen by another after ${seen - began} ms`);
  });
}

await rule("what is too large stops y-websocket", async (editor, peers) => {
  peers[0].text.insert(0, words(20_000_000));
  await eventually("it is told", () => peers[0].client.closed.includes(4413));
  peers[2].text.insert(4, "!");
  await eventually("others go on", () => all(peers.slice(1), "Once!"));
});

await rule("who brings a large document of its own stores it", async (editor, peers) => {
  for (const { end } of peers.splice(2)) end();
  for (const kind of Object.keys(KINDS)) {
    const own = new Y.Doc();
    for (let part = 0; part < 20; part++) own.getText("content").insert(dice(own.getText("content").length + 1), words(50_000));
    const peer = connect(kind, editor, token);
    Y.applyUpdate(peer.document, Y.encodeStateAsUpdate(own)); // before it is synced
    await converged(editor, [...peers, peer], 120);
    peer.end();
  }
});

await service.end();
process.exit(0);
