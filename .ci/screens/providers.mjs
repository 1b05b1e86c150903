// The providers of a screen, each with the same face.
import { HocuspocusProvider, HocuspocusProviderWebsocket } from "@hocuspocus/provider";
import { roomOf, roundtableSocket } from "roundtable/live";
import { RoundtableProvider } from "roundtable/live/provider";
import { WebsocketProvider } from "y-websocket";
import { BASE, LIVE } from "./service.mjs";

const hocuspocus = (url, polyfill) => ({ address, document, token, Socket, closed }) => {
  const websocketProvider = new HocuspocusProviderWebsocket({ url, WebSocketPolyfill: polyfill(Socket), delay: 500, minDelay: 100, maxDelay: 5_000 });
  const provider = new HocuspocusProvider({ websocketProvider, name: roomOf(address), token, document });
  provider.on("authenticationFailed", ({ reason }) => closed(4403, reason));
  provider.attach();
  // Stock Hocuspocus forgets a wish to connect while its last connection still ends.
  let isAwaited = false;
  websocketProvider.on("disconnect", () => isAwaited && connect());
  const isEnding = () => !websocketProvider.shouldConnect && websocketProvider.status === "connected";
  const connect = () => ((isAwaited = isEnding()), websocketProvider.connect());
  return {
    awareness: provider.awareness,
    isSynced: () => provider.isSynced && provider.isAuthenticated,
    isSaved: () => provider.isSynced && provider.isAuthenticated && provider.unsyncedChanges === 0,
    connect,
    disconnect: () => ((isAwaited = false), websocketProvider.disconnect()),
    leave: () => (provider.destroy(), websocketProvider.destroy(), undefined),
  };
};

const y = (url, polyfill) => ({ address, document, token, Socket, closed, staticToken }) => {
  const isOurs = polyfill !== undefined;
  const options = { WebSocketPolyfill: isOurs ? polyfill(Socket, token) : Socket, disableBc: true };
  if (!isOurs) options.params = { token: staticToken };
  const provider = new WebsocketProvider(url, roomOf(address), document, options);
  provider.on("closed", ({ code, reason }) => closed(code, reason));
  if (!isOurs) {
    provider.on("connection-close", () => void token().then((fresh) => (provider.params = { token: fresh }), () => {}));
    // What the application shows of a refusal.
    provider.messageHandlers[2] = () => {};
  }
  return {
    awareness: provider.awareness,
    isSynced: () => provider.synced,
    isSaved: () => false,
    connect: () => provider.connect(),
    disconnect: () => provider.disconnect(),
    leave: () => (provider.destroy(), undefined),
  };
};

const ours = ({ address, document, token, Socket, closed, events }) => {
  const provider = new RoundtableProvider({ ...address, url: LIVE, apiUrl: BASE, token, document, WebSocket: Socket, connect: false });
  provider.on("closed", ({ code, reason }) => closed(code, reason));
  provider.on("unsynced", (changes) => events.unsynced(changes));
  provider.on("access", (access) => events.access(access));
  provider.on("refused", (update, code) => events.refused(code));
  provider.connect();
  return {
    awareness: provider.awareness,
    isSynced: () => provider.synced && provider.status === "connected",
    isSaved: () => provider.unsynced === 0,
    unsynced: () => provider.unsynced,
    connect: () => provider.connect(),
    disconnect: () => provider.disconnect(),
    leave: () => provider.destroy(),
  };
};

const socket = (Socket, token) => roundtableSocket({ apiUrl: BASE, WebSocket: Socket, ...(token && { token }) });

/** What connects, by name. Those that are not `native` connect through the socket of our client. */
export const PROVIDERS = {
  ours,
  static: ours,
  hocuspocus: hocuspocus(LIVE, socket),
  y: y(LIVE, socket),
  "native-hocuspocus": hocuspocus(`${LIVE}/hocuspocus`, (Socket) => Socket),
  "native-y": y(`${LIVE}/y`, undefined),
};
