import { pause } from "../retry.js";
import { Backoff } from "./backoff.js";
import { Code } from "./codes.js";
import { Lease } from "./lease.js";
import { listen } from "./listen.js";
import { Talk, type TalkEnds } from "./talk.js";

/** A token, or how to get one; asked before each connection. */
export type TokenSource = string | (() => string | Promise<string>);

/** A constructor of plain WebSockets. The second subprotocol is the token. */
export type WebSocketClass = new (url: string, protocols?: string[]) => WebSocket;

/** What a socket is told beside its URL. */
export interface SocketOptions {
  /** Where the REST API is; at the host of the socket when absent. */
  apiUrl?: string | undefined;
  /** The end user's token; that of the URL (`token`), or of the auth message, when absent. */
  token?: TokenSource | undefined;
  /**
   * How long changes are gathered for each person in a room beyond two, in milliseconds; 125 when
   * absent, and never longer than a second altogether. With 0 each change goes at once.
   */
  gatherMs?: number | undefined;
  /** What connects; the global `WebSocket` when absent, which Node.js has from version 22 on. */
  WebSocket?: WebSocketClass | undefined;
}

/**
 * What connects.
 *
 * @throws Error where there is no WebSocket: connecting again would never help.
 */
export function webSocketOf({ WebSocket: given }: SocketOptions): WebSocketClass {
  const found = given ?? (globalThis as { WebSocket?: WebSocketClass }).WebSocket;
  if (found) return found;
  const instead = "Pass { WebSocket }, the class of the package ws, or { connect: false }.";
  throw new Error(`There is no WebSocket here. ${instead}`);
}

const STATES = { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 } as const;

/** Why a connection is given up. */
export const SILENCE = "The service does not answer.";

/** The subprotocol beside which a token is offered: URLs are logged on their way. */
const SUBPROTOCOL = "roundtable";
/** What may be offered as a subprotocol; a token of the service is. */
const OFFERABLE = /^[\w.-]+$/;

/** How long a socket that is closed waits until what was sent is stored. */
const LEAVE_MS = 5_000;

type Handler<E> = ((event: E) => unknown) | null;

/**
 * A WebSocket to Roundtable's live channel that takes and gives JSON, closes with the codes of the service,
 * and waits before it connects again after a failure.
 */
export class LiveSocket extends EventTarget {
  static readonly CONNECTING = STATES.CONNECTING;
  static readonly OPEN = STATES.OPEN;
  static readonly CLOSING = STATES.CLOSING;
  static readonly CLOSED = STATES.CLOSED;
  /** What {@link optioned} was told. */
  static readonly options: SocketOptions = {};
  /** The failures that sockets of this class have in common. */
  static readonly backoff: Backoff = new Backoff();

  readonly CONNECTING = STATES.CONNECTING;
  readonly OPEN = STATES.OPEN;
  readonly CLOSING = STATES.CLOSING;
  readonly CLOSED = STATES.CLOSED;
  /** Binary messages are always given as `ArrayBuffer`. */
  binaryType: BinaryType = "arraybuffer";
  readonly extensions = "";
  readonly protocol = "";
  onopen: Handler<Event> = null;
  onmessage: Handler<MessageEvent> = null;
  onerror: Handler<Event> = null;
  onclose: Handler<CloseEvent> = null;

  readonly url: string;
  readonly #class = this.constructor as typeof LiveSocket;
  readonly #token: string | undefined;
  #state: number = STATES.CONNECTING;
  #inner: WebSocket | undefined;
  #lease: Lease | undefined;
  /** Ends to hear of the page. */
  #deaf: (() => void) | undefined;
  #talk: Talk | undefined;
  /** When the service took this client. */
  #admittedAt: number | undefined;
  /** Whether the connection is not used any more. */
  #isReleased = false;
  /** Ends the connection of a socket that was closed; none while that has no unfinished business. */
  #left: ReturnType<typeof setTimeout> | undefined;

  /** @param url of the live channel, with room and token as the stock providers append them. */
  constructor(url: string | URL, _protocols?: string | string[]) {
    super();
    const { url: place, token } = this.place(String(url));
    this.url = place;
    this.#token = token;
    void this.#connect();
  }

  /** Where it goes, without the token, and the token of a URL; called before there are fields. */
  protected place(url: string): { url: string; token?: string | undefined } {
    return { url: url.replace(/^http/, "ws") };
  }

  /** What is said on a connection. */
  protected talk(ends: TalkEnds, _token: string | undefined): Talk {
    return new Talk(ends);
  }

  get readyState(): number {
    return this.#state;
  }

  get bufferedAmount(): number {
    return this.#inner?.bufferedAmount ?? 0;
  }

  /**
   * Sends a message of the dialect; text goes as it is.
   *
   * @throws DOMException before the socket is open.
   */
  send(data: string | ArrayBuffer | ArrayBufferView): void {
    if (this.#state === STATES.CONNECTING) {
      throw new DOMException("The socket is not open.", "InvalidStateError");
    }
    if (this.#state === STATES.OPEN) this.#talk?.say(typeof data === "string" ? data : bytesOf(data));
  }

  /** Sends what is held back to be sent with later changes. */
  readonly flush = (): void => this.#talk?.flush();

  /**
   * Closes. What was sent goes on to be stored: the connection itself ends after that, and after five
   * seconds at the latest.
   */
  close(code?: number, reason?: string): void {
    if (this.#state >= STATES.CLOSING) return;
    this.#state = STATES.CLOSING;
    const talk = this.#talk;
    if (!this.#inner) return this.#end(code ?? 1005, reason ?? "");
    talk?.leave();
    if (talk?.isSettled ?? true) return this.#inner.close(code, reason);
    this.#left = setTimeout(() => this.#release(), LEAVE_MS);
    // As that of any socket, after this call.
    queueMicrotask(() => this.#tellEnd(code ?? 1005, reason ?? ""));
  }

  /** Ends the connection as the service does, and counts as a failure: the next one waits. */
  fail(code: number, reason: string): void {
    this.#end(code, reason);
  }

  #settle(): void {
    if (this.#left !== undefined && this.#talk?.isSettled) this.#release();
  }

  async #connect(): Promise<void> {
    const { options, backoff } = this.#class;
    try {
      await pause(backoff.delay(), undefined);
      const token = await tokenOf(options.token, this.#token);
      if (this.#state !== STATES.CONNECTING) return;
      if (!OFFERABLE.test(token ?? SUBPROTOCOL)) return this.#end(Code.unauthorized, "The token is none.");
      const inner = new (webSocketOf(options))(this.url, token === undefined ? [] : [SUBPROTOCOL, token]);
      this.#inner = inner;
      inner.addEventListener("open", () => this.#opened(inner, token));
      inner.addEventListener("message", ({ data }) => this.#heard(data));
      inner.addEventListener("error", () => this.#state < STATES.CLOSED && this.#emit("error", {}));
      inner.addEventListener("close", ({ code, reason }) => this.#end(code, reason));
    } catch (error) {
      this.#emit("error", { error });
      this.#end(1006, "");
    }
  }

  #opened(inner: WebSocket, token: string | undefined): void {
    if (this.#state !== STATES.CONNECTING) return;
    this.#state = STATES.OPEN;
    this.#deaf = listen("pagehide", this.flush);
    const lease = new Lease({
      isSeen: () => talk.isSeen(),
      ping: () => talk.say('{"type":"ping"}'),
      reassure: () => talk.reassure(),
      lost: () => this.#end(Code.silent, SILENCE),
    });
    const ends: TalkEnds = {
      send: (text) => {
        lease.sent();
        if (inner.readyState === STATES.OPEN) inner.send(text);
      },
      deliver: (data) => this.#emit("message", { data }),
      settled: () => this.#settle(),
      close: (code, reason) => this.#end(code, reason),
    };
    const talk = this.talk(ends, token);
    this.#lease = lease;
    this.#talk = talk;
    this.#emit("open", {});
  }

  #heard(data: unknown): void {
    if (typeof data !== "string" || this.#isReleased) return;
    this.#lease?.heard();
    if (this.#talk?.hear(data)) this.#admittedAt ??= Date.now();
    this.#settle();
  }

  #end(code: number, reason: string): void {
    if (this.#isReleased) return;
    if (this.#state === STATES.OPEN || this.#state === STATES.CONNECTING) this.#class.backoff.failed(this.#admittedAt);
    this.#release();
    this.#tellEnd(code, reason);
  }

  /** Ends the connection. */
  #release(): void {
    this.#isReleased = true;
    clearTimeout(this.#left);
    this.#deaf?.();
    this.#lease?.end();
    this.#talk?.end();
    if (this.#inner && this.#inner.readyState <= STATES.OPEN) this.#inner.close();
  }

  #tellEnd(code: number, reason: string): void {
    if (this.#state === STATES.CLOSED) return;
    this.#state = STATES.CLOSED;
    this.#emit("close", { code, reason, wasClean: code !== 1006 });
  }

  #emit(type: "open" | "message" | "error" | "close", members: object): void {
    const isMessage = type === "message";
    const event = isMessage ? new MessageEvent(type, members) : Object.assign(new Event(type), members);
    this[`on${type}`]?.(event as MessageEvent & CloseEvent);
    this.dispatchEvent(event);
  }
}

/** A class of sockets with options. */
export function optioned<Class extends typeof LiveSocket>(Base: Class, options: SocketOptions): Class {
  return class extends (Base as typeof LiveSocket) {
    static override readonly options = options;
    static override readonly backoff = new Backoff();
  } as Class;
}

async function tokenOf(source: TokenSource | undefined, own: string | undefined): Promise<string | undefined> {
  return typeof source === "function" ? source() : (source ?? own);
}

/** Where the REST API of a live channel is. */
export function apiUrlOf(options: SocketOptions, url: string): string {
  return (options.apiUrl ?? new URL(url.replace(/^ws/, "http")).origin).replace(/\/+$/, "");
}

function bytesOf(data: ArrayBuffer | ArrayBufferView): Uint8Array {
  if (!ArrayBuffer.isView(data)) return new Uint8Array(data);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}
