// Clients of the live channel: the stock providers with our socket, and our provider.
import { HocuspocusProvider, HocuspocusProviderWebsocket } from "@hocuspocus/provider";
import * as v3 from "@hocuspocus/provider-v3";
import { roomOf, roundtableSocket } from "roundtable/live";
import { RoundtableProvider } from "roundtable/live/provider";
import WebSocket from "ws";
import { WebsocketProvider } from "y-websocket";
import * as Y from "yjs";

import { LIVE } from "./service.mjs";

globalThis.WebSocket ??= WebSocket; // y-websocket names it, whatever polyfill it is given

/** How frames of clients go wrong while it is on. */
export const faults = { isOn: false, drop: 0, double: 0, delay: 0 };

/** A WebSocket whose frames are dropped, doubled and overtaken. */
class FaultySocket extends WebSocket {
  send(data, ...rest) {
    this.#go(() => this.readyState === WebSocket.OPEN && super.send(data, ...rest));
  }

  addEventListener(name, listener, options) {
    const faulty = (event) => this.#go(() => listener(event));
    super.addEventListener(name, name === "message" ? faulty : listener, options);
  }

  #go(frame) {
    if (!faults.isOn) return frame();
    if (Math.random() < faults.drop) return;
    for (let n = Math.random() < faults.double ? 2 : 1; n > 0; n--) {
      if (Math.random() < faults.delay) setTimeout(frame, Math.random() * 200);
      else frame();
    }
  }
}

const hocuspocus = ({ HocuspocusProvider, HocuspocusProviderWebsocket }) => (editor, token, Socket) => {
  const websocketProvider = new HocuspocusProviderWebsocket({ url: LIVE, WebSocketPolyfill: Socket, delay: 200, minDelay: 200, maxDelay: 1000 });
  const provider = new HocuspocusProvider({ websocketProvider, name: roomOf(editor), token, forceSyncInterval: 2000 });
  provider.attach();
  const { document, awareness } = provider;
  return {
    document,
    awareness,
    provider,
    isSynced: () => provider.isSynced,
    isSaved: () => provider.unsyncedChanges === 0,
    connect: () => websocketProvider.connect(),
    disconnect: () => websocketProvider.disconnect(),
    end: () => (provider.destroy(), websocketProvider.destroy()),
  };
};

/** The kinds of clients. */
export const KINDS = {
  "y-websocket 3.1.0": (editor, token, Socket) => {
    const document = new Y.Doc();
    const options = { WebSocketPolyfill: Socket, params: { token }, disableBc: true, resyncInterval: 2000 };
    const provider = new WebsocketProvider(LIVE, roomOf(editor), document, options);
    const { awareness } = provider;
    return {
      document,
      awareness,
      provider,
      isSynced: () => provider.synced,
      isSaved: () => true,
      connect: () => provider.connect(),
      disconnect: () => provider.disconnect(),
      end: () => provider.destroy(),
    };
  },
  "@hocuspocus/provider 4.8.0": hocuspocus({ HocuspocusProvider, HocuspocusProviderWebsocket }),
  "@hocuspocus/provider 3.4.4": hocuspocus(v3),
  RoundtableProvider: (editor, token) => {
    const document = new Y.Doc();
    const provider = new RoundtableProvider({ ...editor, url: LIVE, token, document, WebSocket: FaultySocket });
    const { awareness } = provider;
    return {
      document,
      awareness,
      provider,
      isSynced: () => provider.synced,
      isSaved: () => provider.unsynced === 0,
      connect: () => provider.connect(),
      disconnect: () => provider.disconnect(),
      end: () => provider.destroy(),
    };
  },
};

/** A client of a kind. */
export function peer(kind, editor, token) {
  const client = KINDS[kind](editor, token, roundtableSocket({ WebSocket: FaultySocket }));
  return { kind, ...client, text: client.document.getText("content") };
}
