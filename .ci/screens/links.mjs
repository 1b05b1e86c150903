// The network of one screen, as far as it goes wrong.
import WebSocket from "ws";
import { later, now } from "./clock.mjs";

/** Nobody listens there. */
const NOWHERE = "ws://127.0.0.1:9";

/** What a broken service does to frames, in mutants: see mutants.mjs. */
export const broken = { heard: undefined };

/** So many attempts within a second of the service are more than clients that wait make. */
const RUSH = 25;

/** The network of one screen: what its sockets send and hear, and how often it tries to connect. */
export class Link {
  attempts = 0;
  /** Whether it ever tried again and again without waiting. */
  rushed = false;
  #tries = [];
  sent = 0;
  isDown = false;
  isMute = false;
  isDeaf = false;
  doubles = false;
  /** When its last socket was made. */
  triedAt = 0;
  /** What became of its last sockets. */
  ends = [];
  #sockets = new Set();

  constructor() {
    const link = this;
    /** A WebSocket over this link. */
    this.Socket = class extends WebSocket {
      #isHole = false;
      /** Its end, while nobody hears of it. */
      #end;

      constructor(url, protocols) {
        super(link.isDown ? NOWHERE : url, protocols);
        link.#tried();
        link.#sockets.add(this);
        this.on("error", () => {});
        const began = now();
        super.on("close", (code, reason) => {
          link.#sockets.delete(this);
          link.ends.push(`${code} ${this.told ?? reason} after ${now() - began} ms`);
        });
      }

      /** Whether something was lost: nothing comes through any more. */
      get isHole() {
        return this.#isHole;
      }

      /** Nothing more comes over this connection, and its client hears of that. */
      reset() {
        if (this.#end) super.emit("close", ...this.#end);
        else this.terminate();
      }

      send(data, ...rest) {
        if (link.isMute) this.#isHole = true;
        if (this.#isHole) return;
        link.sent++;
        super.send(data, ...rest);
      }

      emit(name, ...values) {
        if (name === "close" && this.#isHole && link.isDeaf) {
          this.#end = values;
          return false;
        }
        if (name !== "message") return super.emit(name, ...values);
        if (link.isDeaf) this.#isHole = true;
        if (this.#isHole) return false;
        const [data] = values;
        if (String(data).startsWith("{") && String(data).includes('"close"')) this.told = String(data);
        if (broken.heard) {
          const frame = broken.heard(data, this.url);
          if (frame === undefined) return false;
          values[0] = frame;
        }
        // Notices may arrive twice, and in another order.
        if (link.doubles && String(data).startsWith('{') && String(data).includes('"type":"event"')) {
          later(() => super.emit(name, ...values), 30);
        }
        return super.emit(name, ...values);
      }
    };
  }

  #tried() {
    this.attempts++;
    this.triedAt = now();
    this.#tries = [...this.#tries, now()].slice(-RUSH);
    if (this.#tries.length === RUSH && now() - this.#tries[0] < 1_000) this.rushed = true;
  }

  /** Ends the sockets without a farewell. */
  cut() {
    for (const socket of this.#sockets) socket.terminate();
  }

  down() {
    this.isDown = true;
    this.cut();
  }

  /** Everything goes through again. Connections that lost something are reset, unless they stay silent. */
  heal(resets = true) {
    this.isDown = this.isMute = this.isDeaf = false;
    for (const socket of this.#sockets) if (socket.isHole && resets) socket.reset();
  }

  get isHealthy() {
    return !this.isDown && !this.isMute && !this.isDeaf && ![...this.#sockets].some(({ isHole }) => isHole);
  }
}
