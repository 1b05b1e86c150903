import type {
  DocumentAddress,
  LiveDocumentEvents,
  LiveStateValue,
  LiveUser,
  PresenceData,
  PresenceStatus,
  SharedDocument,
} from "./document.js";
import { Emitter } from "./emitter.js";

/**
 * A view of a document that is followed. Views of one document share its subscription, and each has
 * its own listeners: `unsubscribe` ends this view, and the subscription with the last one.
 */
export class LiveDocument extends Emitter<LiveDocumentEvents> {
  readonly #shared: SharedDocument;

  constructor(shared: SharedDocument) {
    super();
    this.#shared = shared;
    shared.enter(this);
  }

  get address(): DocumentAddress {
    return this.#shared.address;
  }

  /** Everybody who is in the document. */
  get users(): LiveUser[] {
    return this.#shared.users;
  }

  /** The live state of the document. */
  get liveState(): LiveStateValue[] {
    return this.#shared.liveState;
  }

  /**
   * Shows the user in the document until the connection ends; the last call of all views counts.
   *
   * @param data what users in `presence` have as `data`, such as a place on the page: an object of at most 1 KB,
   *   told a few times a second at most. A `broadcast` suits what moves faster.
   */
  setPresence(status: PresenceStatus, data?: PresenceData): void {
    this.#shared.setPresence(status, data);
  }

  /**
   * Says JSON of at most 1 KB to whoever is in the document now. It is not kept: while there is no
   * connection, nobody is told.
   */
  broadcast(data: unknown): void {
    this.#shared.broadcast(data);
  }

  /**
   * Ends this view: its listeners are told nothing more. The service is told a second after the last
   * view, unless the document is followed again by then.
   */
  unsubscribe(): void {
    this.silence();
    this.#shared.leave(this);
  }
}
