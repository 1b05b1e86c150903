import { isOfToken, isPermanent } from "./codes.js";
import { LiveSocket, webSocketOf } from "./socket.js";

/** How a connection is. */
export type Status = "connecting" | "connected" | "disconnected";

/** Why a connection will not come back. */
export interface Closed {
  /** One of 4400 to 4499. */
  code: number;
  reason: string;
}

/** What a link tells whoever uses it. */
export interface LinkEnds {
  /** A socket is open. */
  opened(): void;
  message(data: ArrayBuffer | string): void;
  /** A socket has ended; the link connects again. */
  lost(): void;
  /** The service does not want this client. */
  closed(why: Closed): void;
}

/** A connection that comes back until the service says that it must not. */
export class Link {
  #socket: LiveSocket | undefined;
  #hasFreshToken = false;

  readonly #Socket: typeof LiveSocket;
  readonly #url: string;
  /** Whether another token can be had. */
  readonly #canRenew: boolean;
  readonly #ends: LinkEnds;

  constructor(Socket: typeof LiveSocket, url: string, canRenew: boolean, ends: LinkEnds) {
    this.#Socket = Socket;
    this.#url = url;
    this.#canRenew = canRenew;
    this.#ends = ends;
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === LiveSocket.OPEN;
  }

  /** @throws Error where there is no WebSocket. */
  connect(): void {
    if (this.#socket) return;
    webSocketOf(this.#Socket.options);
    const socket = new this.#Socket(this.#url);
    this.#socket = socket;
    socket.onopen = () => this.#ends.opened();
    socket.onmessage = ({ data }) => this.#ends.message(data as ArrayBuffer | string);
    socket.onclose = ({ code, reason }) => this.#lost(socket, code, reason);
  }

  disconnect(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    if (!socket) return;
    this.#ends.lost();
    socket.close(1000);
  }

  send(data: string | Uint8Array): void {
    if (this.isOpen) this.#socket?.send(data);
  }

  /** Sends what is held back to be sent with later changes. */
  flush(): void {
    this.#socket?.flush();
  }

  /** The service takes what this client says: a token that is refused from now on is one that has ended. */
  succeeded(): void {
    this.#hasFreshToken = false;
  }

  /** Ends the socket as the service does; a token that was refused is got anew once. */
  refuse(code: number, reason: string): void {
    this.#socket?.fail(code, reason);
  }

  #lost(socket: LiveSocket, code: number, reason: string): void {
    if (socket !== this.#socket) return;
    this.#socket = undefined;
    this.#ends.lost();
    if (isOfToken(code) && this.#canRenew && !this.#hasFreshToken) {
      this.#hasFreshToken = true;
      return this.connect();
    }
    if (isPermanent(code)) this.#ends.closed({ code, reason });
    else this.connect();
  }
}
