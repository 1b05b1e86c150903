import type { Change } from "./change.js";

/** A change as it is kept. */
export interface KeptChange {
  /** The key of the change. */
  key: string;
  /** Service, organization and user. */
  scope: string;
  /** The store that sends it. */
  owner: string;
  change: Change;
  /** Why the service refused it. */
  refused?: string;
}

/** Where changes are kept until they are stored by the service. */
export interface OutboxStorage {
  load(scope: string): Promise<KeptChange[]>;
  put(kept: KeptChange): Promise<void>;
  delete(key: string): Promise<void>;
}

const DATABASE = "roundtable";
const STORE = "outbox";

/** Keeps changes in IndexedDB; nothing where there is none. */
export function indexedDbStorage(): OutboxStorage | undefined {
  if (typeof indexedDB === "undefined") return undefined;
  let opened: Promise<IDBDatabase> | undefined;
  const ask = async <T>(mode: IDBTransactionMode, request: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> => {
    const begin = async (): Promise<IDBTransaction> => (await (opened ??= open())).transaction(STORE, mode);
    const again = (): Promise<IDBTransaction> => {
      opened = undefined;
      return begin();
    };
    // A browser that needs space, or a later version, closes a database.
    const transaction = await begin().catch(again);
    const asked = request(transaction.objectStore(STORE));
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(asked.result);
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  };
  return {
    load: (scope) => ask("readonly", (store) => store.index("scope").getAll(scope) as IDBRequest<KeptChange[]>),
    put: async (kept) => void (await ask("readwrite", (store) => store.put(kept))),
    delete: async (key) => void (await ask("readwrite", (store) => store.delete(key))),
  };
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () =>
      request.result.createObjectStore(STORE, { keyPath: "key" }).createIndex("scope", "scope");
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      // A later version in another tab must not wait for this one.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
  });
}
