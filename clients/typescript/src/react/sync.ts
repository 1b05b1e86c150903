import type { Failure } from "../store/outbox.js";
import type { Connection, SyncState } from "../store/store.js";
import { useRoundtable } from "./context.js";
import { useMemo } from "./react.js";
import { useWhole } from "./select.js";

/** How the connection is. */
export function useConnection(): Connection {
  return useWhole(useRoundtable().connection);
}

/** What of the page is not stored, and what to do with refused changes. */
export interface Sync extends SyncState {
  /** Sends refused changes once more: one, or all. */
  retry: (failure?: Failure) => void;
  /** Forgets refused changes: one, or all. */
  discard: (failure?: Failure) => void;
}

/** What of the page is not stored, shared editors included. */
export function useSync(): Sync {
  const store = useRoundtable();
  const state = useWhole(store.sync);
  return useMemo(
    () => ({
      ...state,
      retry: (failure) => (failure ? [failure] : state.failed).forEach((it) => void store.retry(it)),
      discard: (failure) => (failure ? [failure] : state.failed).forEach((it) => store.discard(it)),
    }),
    [state, store],
  );
}
