// Type, then leave: what is typed is stored, whatever the provider and however long the network takes.
// `TIMES` says how often, for each provider and delay. Then many join at once, and each sees everybody:
// `JOINS` says how many.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { HocuspocusProvider, HocuspocusProviderWebsocket } from "@hocuspocus/provider";
import { LiveEvents, roomOf, roundtableSocket } from "roundtable/live";
import { RoundtableProvider } from "roundtable/live/provider";
import WebSocket from "ws";
import { WebsocketProvider } from "y-websocket";
import * as Y from "yjs";

import { delayed } from "./delay.mjs";
import { BASE, LIVE, Service, Tenant, eventually } from "./service.mjs";

globalThis.WebSocket ??= WebSocket;
console.warn = () => {}; // y-websocket writes tokens there
const TIMES = Number(process.env.TIMES ?? 10);
const JOINS = Number(process.env.JOINS ?? 60);
const AT_ONCE = 10;
const DELAYS = (process.env.DELAYS ?? "0 100 500").split(" ").map(Number);
const WORDS = "The quick brown fox jumps over.";

const service = await new Service().start();
let tenant = await Tenant.make(service);

const stock = (url, Socket) => (editor, token, document) => {
  const websocketProvider = new HocuspocusProviderWebsocket({ url, WebSocketPolyfill: Socket });
  const provider = new HocuspocusProvider({ websocketProvider, name: roomOf(editor), token, document });
  provider.attach();
  return { isSynced: () => provider.isSynced, leave: () => (provider.destroy(), websocketProvider.destroy()) };
};
const y = (url, Socket) => (editor, token, document) => {
  const options = { WebSocketPolyfill: Socket, params: { token }, disableBc: true };
  const provider = new WebsocketProvider(url, roomOf(editor), document, options);
  return { isSynced: () => provider.synced, leave: () => provider.destroy() };
};
const ours = (url, leave) => (editor, token, document) => {
  const provider = new RoundtableProvider({ ...editor, url, apiUrl: BASE, token, document, WebSocket });
  return { isSynced: () => provider.synced, leave: () => leave(provider) };
};

const kinds = (url) => ({
  "RoundtableProvider.destroy": ours(url, (it) => it.destroy()),
  "RoundtableProvider.disconnect": ours(url, (it) => it.disconnect()),
  "@hocuspocus/provider with our socket": stock(url, roundtableSocket({ apiUrl: BASE, WebSocket })),
  "@hocuspocus/provider": stock(`${url}/hocuspocus`, WebSocket),
  "y-websocket with our socket": y(url, roundtableSocket({ apiUrl: BASE, WebSocket })),
  "y-websocket": y(`${url}/y`, WebSocket),
});

let lost = 0;
let number = 0;
for (const ms of DELAYS) {
  // A document has 1,000 editors at most.
  tenant = await Tenant.make(service);
  const network = await delayed(new URL(LIVE).port, ms);
  const url = `ws://127.0.0.1:${network.port}/live`;
  for (const [kind, provide] of Object.entries(kinds(url))) {
    const began = Date.now();
    let missing = 0;
    for (let from = 0; from < TIMES; from += AT_ONCE) {
      const times = Array.from({ length: Math.min(AT_ONCE, TIMES - from) }, (_, n) => from + n);
      const texts = await Promise.all(times.map((n) => typed(provide, `${kind} ${ms} ${n}`)));
      missing += texts.reduce((sum, text) => sum + WORDS.length - text.length, 0);
    }
    lost += missing;
    console.log(`${kind}, ${ms} ms: ${missing} of ${TIMES * WORDS.length} characters lost (${Date.now() - began} ms)`);
  }
  network.end();
}

/** Types and leaves at once; answers what is stored a while later. */
async function typed(provide, editorId) {
  const editor = await tenant.editor(editorId);
  const document = new Y.Doc();
  const text = document.getText("content");
  const { isSynced, leave } = provide(editor, await tenant.token(`user-${number++}`), document);
  await eventually(`${editorId} is synced`, isSynced);
  for (const letter of WORDS) text.insert(text.length, letter);
  void leave();
  const stored = async () => (await tenant.call("/v2/crdt/get", editor)).data[0].data;
  await eventually("all is stored", async () => (await stored()) === WORDS, 20).catch(() => {});
  return stored();
}

{
  const seen = [];
  for (let n = 0; n < JOINS; n++) {
    const token = await tenant.token(`joiner-${n}`);
    seen.push({ n, token });
  }
  const began = Date.now();
  for (const joiner of seen) {
    joiner.events = new LiveEvents({ url: LIVE, token: joiner.token, WebSocket });
    joiner.document = joiner.events.document(tenant.document);
    joiner.document.setPresence("online");
    if (joiner.n % 20 === 19) await pause(60); // API Gateway takes 500 connections a second
  }
  const blind = () => seen.filter(({ document }) => document.users.length < JOINS).length;
  await eventually("all are seen by all", () => blind() === 0, 120).catch(() => {});
  console.log(`${JOINS} join at once: ${blind()} do not see everybody (${Date.now() - began} ms)`);
  lost += blind();
  for (const { events } of seen) events.disconnect();
}
await service.end();
assert.equal(lost, 0);
process.exit();
