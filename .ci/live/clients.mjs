// Clients of the live channel of all kinds, for measurements.
import { HocuspocusProvider, HocuspocusProviderWebsocket } from "@hocuspocus/provider";
import { roomOf, roundtableSocket } from "roundtable/live";
import { RoundtableProvider } from "roundtable/live/provider";
import WebSocket from "ws";
import { WebsocketProvider } from "y-websocket";
import * as Y from "yjs";

import { LIVE } from "./service.mjs";

globalThis.WebSocket ??= WebSocket; // y-websocket names it, whatever polyfill it is given
export const HOCUSPOCUS_PORT = 3933;

/** Counts messages as they are metered: per 32 KB. */
const counts = { in: 0, out: 0 };
class Counted extends WebSocket {
  constructor(...values) {
    super(...values);
    super.addEventListener("message", ({ data }) => (counts.out += Math.ceil((data.length ?? data.byteLength) / 32_768)));
  }
  send(data, ...rest) {
    counts.in++;
    super.send(data, ...rest);
  }
}
export function metered() {
  const before = { ...counts };
  return () => ({ in: counts.in - before.in, out: counts.out - before.out });
}

function stock(url, name, token, WebSocketPolyfill) {
  const websocketProvider = new HocuspocusProviderWebsocket({ url, WebSocketPolyfill });
  const provider = new HocuspocusProvider({ websocketProvider, name, token });
  provider.attach();
  const { document, awareness } = provider;
  return { document, awareness, isSynced: () => provider.isSynced, isSaved: () => provider.unsyncedChanges === 0, end: () => (provider.destroy(), websocketProvider.destroy()) };
}

const ours = (editor, token) => {
  const provider = new RoundtableProvider({ ...editor, url: LIVE, token, document: new Y.Doc(), WebSocket: Counted });
  const { document, awareness } = provider;
  return { document, awareness, isSynced: () => provider.synced, isSaved: () => provider.unsynced === 0, end: () => provider.destroy() };
};
const adapted = () => roundtableSocket({ WebSocket: Counted });
const yWebsocket = (url, socket) => (editor, token) => {
  const document = new Y.Doc();
  const provider = new WebsocketProvider(url, roomOf(editor), document, { WebSocketPolyfill: socket(), params: { token }, disableBc: true });
  // It does not know what is saved: what it sends goes in order.
  return { document, awareness: provider.awareness, isSynced: () => provider.synced, isSaved: () => true, end: () => provider.destroy() };
};

/** Makes a client in a room, by the name of its kind. */
export const KINDS = {
  "Hocuspocus": (name) => stock(`ws://127.0.0.1:${HOCUSPOCUS_PORT}`, name, "any", Counted),
  "@hocuspocus/provider": (editor, token) => stock(LIVE, roomOf(editor), token, adapted()),
  "RoundtableProvider": ours,
  "@hocuspocus/provider without our socket": (editor, token) => stock(`${LIVE}/hocuspocus`, roomOf(editor), token, Counted),
  "y-websocket": yWebsocket(LIVE, adapted),
  "y-websocket without our socket": yWebsocket(`${LIVE}/y`, () => Counted),
};
