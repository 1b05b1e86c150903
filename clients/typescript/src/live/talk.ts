import { parsed } from "../retry.js";
import { Code } from "./codes.js";

/** Frames of events that say nothing about whether the service takes this client. */
const UNDECIDED = ["close", "error", "pong", "unsubscribed"];

/** A control message of the service. */
export interface Control {
  type?: string;
  document?: string;
  code?: number;
  reason?: string;
  stateVector?: string;
  /** Whether the service wants to know what it lacks. */
  asks?: boolean;
  /** What API Gateway says of a frame whose call failed, with `connectionId` and without a type. */
  message?: string;
  connectionId?: string;
}

/** What is said on a connection needs these of its socket. */
export interface TalkEnds {
  /** Sends text to the service. */
  send(text: string): void;
  /** Gives a message to whoever has the socket. */
  deliver(data: ArrayBuffer | string): void;
  /** A change that went over HTTPS is done. */
  settled(): void;
  /** Ends the socket as the service asked for. */
  close(code: number, reason: string): void;
}

/** What client and service say on one connection: JSON about events. */
export class Talk {
  /** Whether the client has left, and only waits for what it sent to be stored. */
  protected isLeaving = false;
  /** Whether it said `presence`. */
  #isPresent = false;

  constructor(protected readonly ends: TalkEnds) {}

  end(): void {}

  /** Sends what is held back. */
  flush(): void {}

  /** The client hears nothing any more. */
  leave(): void {
    this.isLeaving = true;
    this.flush();
  }

  /** Whether the service has acknowledged every change, as far as it does. */
  get isSettled(): boolean {
    return true;
  }

  /** Whether others see this client. */
  isSeen(): boolean {
    return this.#isPresent;
  }

  /** Gives the client a message without a meaning. */
  reassure(): void {}

  /** Takes a message of the client. */
  say(data: string | Uint8Array): void {
    this.#isPresent ||= (parsed(data as string) as Control | undefined)?.type === "presence";
    this.ends.send(data as string);
  }

  /** Takes a frame of the service; answers whether it shows that the service takes this client. */
  hear(frame: string): boolean {
    // What is no JSON says as much.
    const control = (parsed(frame) ?? { type: "pong" }) as Control;
    const { type, code = Code.unavailable, reason = "", connectionId, message } = control;
    if (type === "close") this.ends.close(code, reason);
    // What was in the frame is nowhere, and later changes may need it.
    else if (connectionId && message && !type) this.ends.close(Code.unavailable, message);
    else if (type !== "pong") return this.control(control, frame);
    return false;
  }

  /** Takes what the service says of the connection. */
  protected control({ type = "" }: Control, frame: string): boolean {
    if (!this.isLeaving) this.ends.deliver(frame);
    return !UNDECIDED.includes(type);
  }
}
