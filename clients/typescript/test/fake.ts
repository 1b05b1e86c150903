import { readFileSync } from "node:fs";

import { fromBase64, toBase64 } from "../dist/live/base64.js";
import type { WebSocketClass } from "roundtable/live";

/**
 * Frames that the service sent: `tests/it/live/recorded.rs` records them, and fails when the service
 * sends others.
 */
export const FRAMES = JSON.parse(
  readFileSync(new URL("../test/frames.json", import.meta.url), "utf8"),
) as Record<
  | "close" | "error" | "event" | "gone" | "liveState" | "liveStateLarge" | "pong" | "presence" | "readWrite" | "readonly"
  | "refused" | "saved" | "step1" | "step2" | "subscribed" | "subscribedMe" | "unsubscribed" | "unsubscribedMe",
  string
>;

/** A WebSocket whose other end is the test. */
export class FakeSocket extends EventTarget {
  static all: FakeSocket[] = [];
  static get last(): FakeSocket {
    const last = FakeSocket.all.at(-1);
    if (!last) throw new Error("Nothing has connected.");
    return last;
  }

  readyState = 0;
  bufferedAmount = 0;
  /** Whether the service answers pings. */
  lives = true;
  /** Frames that the client sent. */
  readonly sent: string[] = [];

  constructor(readonly url: string, readonly protocols: string[] = []) {
    super();
    FakeSocket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(text);
    const isPing = text.startsWith("{") && (JSON.parse(text) as { type: string }).type === "ping";
    if (isPing && this.lives) this.frame({ type: "pong" });
  }

  close(code = 1005, reason = ""): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event("close"), { code, reason }));
  }

  /** The service accepts the connection. */
  accept(): this {
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
    return this;
  }

  /** The service sends a frame. Its members are sorted, as those of the service are. */
  frame(frame: object): void {
    this.text(JSON.stringify(Object.fromEntries(Object.entries(frame).sort())));
  }

  /** The service sends a frame as it was recorded. */
  text(data: string): void {
    this.dispatchEvent(new MessageEvent("message", { data }));
  }

  /** The service sends a message. */
  message(...bytes: (number | Uint8Array)[]): void {
    this.together(Uint8Array.from(bytes.flatMap((it) => (typeof it === "number" ? [it] : [...it]))));
  }

  /** The service sends messages in one frame. */
  together(...messages: Uint8Array[]): void {
    const data = messages.map((bytes) => toBase64(bytes)).join(" ");
    this.dispatchEvent(new MessageEvent("message", { data }));
  }

  /** The messages that the client sent, control frames left out. */
  get messages(): number[][] {
    const frames = this.sent.filter((it) => !it.startsWith("{"));
    return frames.flatMap((frame) => frame.split(" ")).map((it) => [...fromBase64(it)]);
  }
}

/** What the client is given as its WebSocket. */
export const Fake = FakeSocket as unknown as WebSocketClass;

/** Lets everything happen that waits for nothing but its turn. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
