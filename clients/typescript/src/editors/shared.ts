import { Awareness } from "y-protocols/awareness";
import * as Y from "yjs";

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
    access: "read-write",
    unsynced: 0,
  });
  readonly #usage: Usage;
  #awareness: Awareness | undefined;
  #provider: RoundtableProvider | undefined;
  #hasEnded = false;

  /** Made by {@link sharedEditor}. */
  constructor(
    private readonly store: RoundtableStore,
    private readonly documentId: string,
    readonly editorId: string,
    ended: () => void,
  ) {
    this.#usage = new Usage({
      begin: () => this.provider.connect(),
      end: () => {
        this.#hasEnded = true;
        ended();
        void this.provider.destroy().then(() => {
          store.reportUnsynced(this, 0);
          this.document.destroy();
        });
      },
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

  /** Whether its last use is over for two seconds: another one has taken its place. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Connects; returns a function that ends this use. */
  enter(): () => void {
    return this.#usage.enter();
  }

  #made(): RoundtableProvider {
    const { document, awareness, store } = this;
    const provider = new RoundtableProvider({
      ...store.providerOptions(this.documentId, this.editorId),
      document,
      awareness,
      connect: false,
    });
    const put = (change: Partial<SharedEditorState>): void => this.#state.set({ ...this.#state.get(), ...change });
    provider.on("status", (status) => put({ status }));
    provider.on("synced", (isSynced) => put({ isSynced }));
    provider.on("access", (access) => put({ access }));
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
  const all = editors.get(store) ?? new Map<string, SharedEditor>();
  editors.set(store, all);
  const key = JSON.stringify([documentId, editorId]);
  const known = all.get(key);
  if (known) return known;
  const editor = new SharedEditor(store, documentId, editorId, () => all.delete(key));
  all.set(key, editor);
  return editor;
}
