export { type EditorAddress, roomOf } from "./address.js";
export { isPermanent } from "./codes.js";
export {
  type DocumentAddress,
  type LiveBroadcast,
  type LiveDocumentEvents,
  type LiveEvent,
  type LiveEventName,
  type LiveStateValue,
  type LiveUser,
  type PresenceData,
  type PresenceStatus,
} from "./document.js";
export {
  type LiveError,
  LiveEvents,
  type LiveEventsEvents,
  type LiveEventsOptions,
  type LiveNotification,
  type LiveReading,
  type LiveSeen,
} from "./events.js";
export type { Closed, Status } from "./link.js";
export { RoundtableSocket, roundtableSocket } from "./roundtable_socket.js";
export type { SocketOptions, TokenSource, WebSocketClass } from "./socket.js";
export type { LiveDocument } from "./view.js";
