import { type Target, targetOf } from "./address.js";
import { Conversation } from "./conversation.js";
import { LiveSocket, type SocketOptions, apiUrlOf, optioned } from "./socket.js";
import { Talk, type TalkEnds } from "./talk.js";

/**
 * A WebSocket to Roundtable's live channel for stock providers: the `WebSocketPolyfill` of
 * y-websocket and of HocuspocusProviderWebsocket. It takes and gives binary messages and sends them
 * as text, moves what is too large to HTTPS, closes with the codes of the service, and waits before
 * it connects again after a failure.
 */
export class RoundtableSocket extends LiveSocket {
  /** Set before any field of this class is. */
  declare private target: Target;

  protected override place(url: string): Target {
    return (this.target = targetOf(url));
  }

  protected override talk(ends: TalkEnds, token: string | undefined): Talk {
    const { target, url } = this;
    const { dialect, room } = target;
    if (dialect === "events") return new Talk(ends);
    const { options } = this.constructor as typeof RoundtableSocket;
    return new Conversation({ dialect, room }, apiUrlOf(options, url), token, ends, options.gatherMs);
  }
}

/** A {@link RoundtableSocket} with options. */
export function roundtableSocket(options: SocketOptions = {}): typeof RoundtableSocket {
  return optioned(RoundtableSocket, options);
}
