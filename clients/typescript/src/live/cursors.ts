import {
  type Awareness,
  applyAwarenessUpdate,
  encodeAwarenessUpdate,
  removeAwarenessStates,
} from "y-protocols/awareness";

import { type Client, type Message, clientsIn } from "./messages.js";
import { Reader } from "./varint.js";

/** y-protocols forgets clients that have not renewed their state for 30 seconds. */
const TOUCH_MS = 10_000;
/** Stock clients renew their state every 15 seconds: within this time of what they said before. */
const RENEWAL_MS = 20_000;
/** How long after that they are taken to be there, and to expect the same of others. */
const STOCK_MS = 45_000;
/** The service keeps, for who comes later, what it hears 20 seconds after it last kept something. */
const AGAIN_MS = 25_000;
/** Clients who came together do not say it together. */
const SPREAD_MS = 10_000;
/** Between two messages; where more than two people are, the socket gathers them for longer. */
const LEAST_MS = 40;

/**
 * Sends this client's awareness when it changes. That others are still there is known from the
 * leases of their connections, which the service keeps; so nobody repeats a state, unless a client
 * that expects it is in the room.
 */
export class Cursors {
  #sent = "";
  #stockSeen = 0;
  readonly #heardAt = new Map<number, number>();
  #isOpen = false;
  #last = 0;
  #soon: ReturnType<typeof setTimeout> | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  readonly #timer = setInterval(() => this.#touch(), TOUCH_MS);

  readonly #send: (update: Uint8Array) => void;

  constructor(readonly awareness: Awareness, send: (update: Uint8Array) => void) {
    this.#send = send;
    awareness.on("update", this.#updated);
  }

  /** How many others are here. */
  get others(): number {
    return [...this.awareness.getStates().keys()].filter((id) => id !== this.awareness.clientID).length;
  }

  opened(): void {
    this.#isOpen = true;
    this.#sent = "";
    if (this.awareness.getLocalState() !== null) this.#say();
  }

  lost(): void {
    this.#isOpen = false;
    clearTimeout(this.#again);
    this.#heardAt.clear();
    const others = [...this.awareness.meta.keys()].filter((id) => id !== this.awareness.clientID);
    removeAwarenessStates(this.awareness, others, this);
    // Who has not moved meanwhile comes back with the clock of before, which would be no news.
    for (const id of others) this.awareness.meta.delete(id);
  }

  heard(message: Message): void {
    for (const client of clientsIn(message)) {
      const before = this.#heardAt.get(client.id) ?? 0;
      this.#heardAt.set(client.id, Date.now());
      if (Date.now() - before < RENEWAL_MS && this.#isRenewal(client)) this.#stockSeen = Date.now();
    }
    applyAwarenessUpdate(this.awareness, new Reader(message.body).block(), this);
  }

  end(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#again);
    removeAwarenessStates(this.awareness, [this.awareness.clientID], "end");
    if (this.#soon) this.#say();
    this.awareness.off("update", this.#updated);
  }

  #isRenewal({ id, clock, state }: Client): boolean {
    const known = this.awareness.meta.get(id);
    if (id === this.awareness.clientID || !known || known.clock >= clock) return false;
    return JSON.stringify(this.awareness.getStates().get(id)) === state;
  }

  #updated = ({ added, updated, removed }: Record<"added" | "updated" | "removed", number[]>): void => {
    if (!this.#isOpen || ![...added, ...updated, ...removed].includes(this.awareness.clientID)) return;
    const isNews = JSON.stringify(this.awareness.getLocalState()) !== this.#sent;
    if (!isNews && Date.now() - this.#stockSeen > STOCK_MS) return;
    const wait = this.#last + LEAST_MS - Date.now();
    if (wait <= 0) this.#say();
    else this.#soon ??= setTimeout(() => this.#say(), wait);
  };

  #say(): void {
    clearTimeout(this.#soon);
    clearTimeout(this.#again);
    this.#soon = undefined;
    if (!this.#isOpen) return;
    this.#last = Date.now();
    const state = JSON.stringify(this.awareness.getLocalState());
    if (state !== this.#sent && state !== "null") {
      this.#again = setTimeout(() => this.#say(), AGAIN_MS + Math.random() * SPREAD_MS);
    }
    this.#sent = state;
    this.#send(encodeAwarenessUpdate(this.awareness, [this.awareness.clientID]));
  }

  #touch(): void {
    if (!this.#isOpen) return;
    for (const [id, meta] of this.awareness.meta) {
      if (id !== this.awareness.clientID && this.awareness.getStates().has(id)) meta.lastUpdated = Date.now();
    }
  }
}
