import { Awareness } from "y-protocols/awareness";
import * as Y from "yjs";

import { held } from "../held.js";
import { isOfToken } from "../live/codes.js";
import type { Status } from "../live/link.js";
import { RoundtableProvider } from "../live/provider.js";
import { type Readable, Signal } from "../store/signal.js";
import type { RoundtableStore } from "../store/store.js";
import { Usage } from "../store/usage.js";

/** How a shared editor is. */
export interface SharedEditorState {
  status: Status;
  /** Whether the document has everything that was stored when the connection began. */
  isSynced: boolean;
  /** Whether it had everything once, so that nothing is written beside a content that is not here yet. */
  isLoaded: boolean;
  /** Whether the user may write. */
  access: "read-write" | "readonly";
  /** How many changes of the page are not stored. */
  unsynced: number;
}

/** A Yjs document that all components of a page share, and its connection. */
export class SharedEditor {
  readonly document = new Y.Doc();
  readonly #state = new Signal<SharedEditorState>({
    status: "disconnected",
    isSynced: false,
    isLoaded: false,
    access: "read-write",
    unsynced: 0,
  });
  readonly #usage: Usage;
  #awareness: Awareness | undefined;
  #provider: RoundtableProvider | undefined;
  #hasEnded = false;
  /** Whether the editor is gone, and nothing can be stored in it. */
  #isGone = false;
  /** Ends the wait of an editor that is left with changes. */
  #stay: (() => void) | undefined;
  /** What others saw of the user before that. */
  #shown: Record<string, unknown> | null = null;

  readonly #store: RoundtableStore;
  readonly #documentId: string;
  readonly #ended: () => void;

  /** Made by {@link sharedEditor}. */
  constructor(store: RoundtableStore, documentId: string, readonly editorId: string, ended: () => void) {
    this.#store = store;
    this.#documentId = documentId;
    this.#ended = ended;
    this.#usage = new Usage(() => {
      this.#stay?.();
      this.#isGone = false;
      if (this.#shown && this.awareness.getLocalState() === null) this.awareness.setLocalState(this.#shown);
      this.#shown = null;
      this.provider.connect();
      return () => {
        const stop = this.#state.subscribe(() => this.#mayEnd());
        this.#stay = () => {
          stop();
          this.#stay = undefined;
        };
        this.#mayEnd();
        if (this.#hasEnded) return;
        // Its user is not there any more.
        this.#shown = this.awareness.getLocalState();
        this.awareness.setLocalState(null);
      };
    });
  }

  /** Cursors and who is here. It has a timer, as the provider has: a server that reads neither has none. */
  get awareness(): Awareness {
    return (this.#awareness ??= new Awareness(this.document));
  }

  /** The connection. */
  get provider(): RoundtableProvider {
    return (this.#provider ??= this.#made());
  }

  get state(): Readable<SharedEditorState> {
    return this.#state;
  }

  /** Whether its last use is over for two seconds, and all is stored: another one has taken its place. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Connects; returns a function that ends this use. */
  enter(): () => void {
    return this.#usage.enter();
  }

  /** What was typed without a network is kept until it is stored: this document is the only place that has it. */
  #mayEnd(): void {
    if (!this.#stay || (this.#state.get().unsynced > 0 && !this.#isGone && !this.provider.isInVain)) return;
    this.#stay();
    this.#hasEnded = true;
    this.#ended();
    void this.provider.destroy().then(() => {
      this.#store.reportUnsynced(this, 0);
      this.document.destroy();
    });
  }

  #made(): RoundtableProvider {
    const { document, awareness } = this;
    const store = this.#store;
    const { isRenewed, ...options } = store.providerOptions(this.#documentId, this.editorId);
    const provider = new RoundtableProvider({
      ...options,
      document,
      awareness,
      connect: false,
    });
    const put = (change: Partial<SharedEditorState>): void => this.#state.set({ ...this.#state.get(), ...change });
    provider.on("status", (status) => put({ status }));
    provider.on("synced", (isSynced) => put({ isSynced, ...(isSynced && { isLoaded: true }) }));
    provider.on("access", (access) => put({ access }));
    provider.on("closed", ({ code }) => {
      if (!isOfToken(code)) this.#isGone = true;
      else if (!this.#hasEnded && isRenewed()) return provider.connect();
      this.#mayEnd();
    });
    provider.on("unsynced", (unsynced) => {
      put({ unsynced });
      store.reportUnsynced(this, unsynced);
    });
    return provider;
  }
}

const editors = new WeakMap<RoundtableStore, Map<string, SharedEditor>>();

/** An editor of a document: the same one for all who use it at the same time. */
export function sharedEditor(store: RoundtableStore, documentId: string, editorId: string): SharedEditor {
  const all = held(editors, store, () => new Map<string, SharedEditor>());
  const key = JSON.stringify([documentId, editorId]);
  return held(all, key, () => new SharedEditor(store, documentId, editorId, () => all.delete(key)));
}
