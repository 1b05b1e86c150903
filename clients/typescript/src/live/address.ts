import type { Dialect } from "./messages.js";

/** An editor of a document: what is edited together. */
export interface EditorAddress {
  organizationId: string;
  documentId: string;
  editorId: string;
}

/** The room of an editor, as y-websocket and Hocuspocus are given it. */
export function roomOf({ organizationId, documentId, editorId }: EditorAddress): string {
  return [organizationId, documentId, editorId].map(encodeURIComponent).join("/");
}

/** The editor of a room; nothing when the text is not a room. */
export function editorOf(room: string): EditorAddress | undefined {
  const parts = room.split("/");
  if (parts.length !== 3 || parts.includes("")) return undefined;
  try {
    const [organizationId = "", documentId = "", editorId = ""] = parts.map(decodeURIComponent);
    return { organizationId, documentId, editorId };
  } catch {
    return undefined;
  }
}

/** Where a socket goes, and what it speaks there. */
export interface Target {
  /** Without the token. */
  url: string;
  /** JSON, for `events`. */
  dialect: Dialect | "events";
  /** The room of a socket that speaks as y-websocket does. */
  room: string;
  token: string | undefined;
}

/**
 * Finds the room in the last three segments of a path, as y-websocket appends it, and moves it into
 * the query: API Gateway knows no paths below the stage. Without a room the socket speaks as
 * Hocuspocus does, where each message names its document.
 */
export function targetOf(url: string): Target {
  const [place = "", search = ""] = url.split("?", 2);
  const query = new URLSearchParams(search);
  const [scheme = "", host = "", ...path] = place.split(/\/+/);
  const named = query.get("room") ?? "";
  const isNamed = named !== "" || query.has("protocol");
  const room = !isNamed && path.length >= 3 ? path.splice(-3).join("/") : named;
  if (room !== "") query.set("room", room);
  if (room === "" && !query.has("protocol")) query.set("protocol", "hocuspocus");
  const token = query.get("token") ?? undefined;
  query.delete("token");
  const protocol = query.get("protocol");
  const dialect = protocol === "hocuspocus" || protocol === "events" ? protocol : "y";
  const base = [`${scheme}//${host}`, ...path.filter((part) => part !== "")].join("/");
  return { url: `${base.replace(/^http/, "ws")}?${query}`, dialect, room, token };
}
