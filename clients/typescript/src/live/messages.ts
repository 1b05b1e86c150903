import { Code } from "./codes.js";
import { Reader, Writer } from "./varint.js";

/** Types of messages; those from 4 on are known to Hocuspocus alone. */
export const Type = {
  sync: 0,
  awareness: 1,
  auth: 2,
  queryAwareness: 3,
  syncStatus: 8,
  ping: 9,
  pong: 10,
} as const;

/** Kinds of sync messages. */
export const Sync = { step1: 0, step2: 1, update: 2 } as const;

/** Kinds of auth messages of Hocuspocus. */
export const Auth = { token: 0, denied: 1, authenticated: 2 } as const;

/** How messages are framed: as y-websocket does, or with the name of the document in front as Hocuspocus does. */
export type Dialect = "y" | "hocuspocus";

/** A message, opened as far as the socket has to know it. */
export interface Message {
  /** The document; empty in the dialect of y-websocket. */
  name: string;
  type: number;
  /** What comes after the type. */
  body: Uint8Array;
}

/**
 * Opens a message.
 *
 * @throws RangeError when it is cut off.
 */
export function open(dialect: Dialect, bytes: Uint8Array): Message {
  const reader = new Reader(bytes);
  const name = dialect === "hocuspocus" ? reader.text() : "";
  const type = reader.uint();
  return { name, type, body: reader.rest };
}

/** Makes a message: the beginning of its body is up to the caller. */
export function message(dialect: Dialect, name: string, type: number): Writer {
  const writer = new Writer();
  if (dialect === "hocuspocus") writer.text(name);
  return writer.uint(type);
}

/** The update in a sync step 2 or in an update; nothing in other messages. */
export function updateIn({ type, body }: Message): Uint8Array | undefined {
  if (type !== Type.sync) return undefined;
  const reader = new Reader(body);
  return reader.uint() === Sync.step1 ? undefined : reader.block();
}

/** What the service says about a token, or about the right to a document. */
export interface Verdict {
  kind: number;
  /** The scope, or the reason. */
  text: string;
  /** The close code of a refusal, behind the reason. */
  code: number;
}

/** The verdict in an auth message of the service. */
export function verdictIn({ body }: Message): Verdict {
  const reader = new Reader(body);
  const [kind, text] = [reader.uint(), reader.text()];
  return { kind, text, code: reader.rest.length > 0 ? reader.uint() : Code.forbidden };
}

/** What a sync status says of a change: that it is stored, or refused. */
export interface Answer {
  isSaved: boolean;
  /** The close code that says why it is refused; nothing when the right to write may be lost. */
  code: number | undefined;
  reason: string;
}

/** The answer in a sync status; code and reason of a refusal stand behind it, where stock providers do not read. */
export function answerIn({ body }: Message): Answer {
  const reader = new Reader(body);
  const isSaved = reader.uint() === 1;
  const hasCode = reader.rest.length > 0;
  return { isSaved, code: hasCode ? reader.uint() : undefined, reason: hasCode ? reader.text() : "" };
}

/** A client in an awareness message. */
export interface Client {
  id: number;
  clock: number;
  /** JSON text; `null`: the client has left. */
  state: string;
}

/** The clients in an awareness message. */
export function clientsIn({ body }: Message): Client[] {
  const reader = new Reader(new Reader(body).block());
  const clients: Client[] = [];
  for (let left = reader.uint(); left > 0; left--) {
    clients.push({ id: reader.uint(), clock: reader.uint(), state: reader.text() });
  }
  return clients;
}

/** The awareness message of these clients. */
export function awareness(dialect: Dialect, name: string, clients: Client[]): Uint8Array<ArrayBuffer> {
  const writer = new Writer().uint(clients.length);
  for (const { id, clock, state } of clients) writer.uint(id).uint(clock).text(state);
  return message(dialect, name, Type.awareness).block(writer.done()).done();
}
