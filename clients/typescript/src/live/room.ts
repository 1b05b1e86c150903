import { type Client, type Dialect, awareness, open, updateIn } from "./messages.js";

/** Bytes of a message, so that its base64 has at most 30,000 characters. */
export const MOST_BYTES = 22_500;
/** How many clients of a room are remembered. */
const MOST_CLIENTS = 5_000;

/** The state of a client that has left. */
export const GONE = "null";

/** What a socket knows of one document. */
export class Room {
  /** The token of its auth message, for the REST API. */
  token: string | undefined;
  /** Whether the service refused it. */
  isDenied = false;
  /** Messages that wait for the answer to the auth message; none: they need not wait. */
  held: Uint8Array[] | undefined;
  /** Changes that wait behind one that goes over HTTPS; none: they need not wait. */
  behind: Uint8Array[] | undefined;
  /** Whether somebody asked who is here, who need not show themselves. */
  #isWatched = false;
  readonly #own = new Map<number, Client>();
  /** What was last heard of others. */
  readonly #others = new Map<number, Client>();

  readonly #dialect: Dialect;

  constructor(dialect: Dialect, readonly name: string) {
    this.#dialect = dialect;
    if (dialect === "hocuspocus") this.held = [];
  }

  /** Whether changes wait for the answer to the auth message. */
  get holdsChanges(): boolean {
    return (this.held ?? []).some((data) => updateIn(open(this.#dialect, data)) !== undefined);
  }

  /** Whether somebody else is here. */
  get isShared(): boolean {
    return this.#isWatched || this.others > 0;
  }

  /** How many others show themselves. */
  get others(): number {
    return [...this.#others.values()].filter(({ state }) => state !== GONE).length;
  }

  /** Whether this client shows itself to others. */
  get isPresent(): boolean {
    return [...this.#own.values()].some(({ state }) => state !== GONE);
  }

  /**
   * Takes awareness that the provider sends, and returns what others need of it: y-websocket also
   * repeats what it was told of others, and every 15 seconds what it has said.
   */
  said(clients: Client[]): { news: Client[]; isRenewal: boolean } {
    const news = clients.filter(({ id, clock }) => this.#others.get(id)?.clock !== clock);
    const isRenewal = news.every(({ id, state }) => this.#own.get(id)?.state === state);
    for (const client of news) {
      this.#own.set(client.id, client);
      // It was heard of itself on an earlier connection.
      this.#others.delete(client.id);
    }
    return { news, isRenewal: isRenewal && news.length > 0 };
  }

  /** Takes awareness of others. */
  heard(clients: Client[]): void {
    for (const client of clients) {
      if (this.#own.has(client.id)) continue;
      this.#others.delete(client.id);
      this.#others.set(client.id, client);
      const [oldest] = this.#others.keys();
      if (this.#others.size > MOST_CLIENTS && oldest !== undefined) this.#others.delete(oldest);
    }
    this.#isWatched &&= this.others > 0;
  }

  /** Answers who is here with this client. */
  asked(): Uint8Array[] {
    this.#isWatched = true;
    return this.parts([...this.#own.values()].filter(({ state }) => state !== GONE));
  }

  /** Awareness of these clients, in messages that can be sent. */
  parts(clients: Client[]): Uint8Array[] {
    if (clients.length === 0) return [];
    const whole = awareness(this.#dialect, this.name, clients);
    if (whole.length <= MOST_BYTES) return [whole];
    if (clients.length === 1) {
      console.warn("roundtable: the awareness is too large");
      return [];
    }
    const half = clients.length >> 1;
    return [...this.parts(clients.slice(0, half)), ...this.parts(clients.slice(half))];
  }
}
