import type { Document } from "../generated/types.js";
import { useRoom } from "./context.js";
import { useCallback, useMemo } from "./react.js";
import { useReadable, useUsed, useWhole } from "./select.js";

/** What the service knows of the document of the room, such as its name. */
export function useDocument(): { document: Document | undefined; isLoading: boolean; error: Error | undefined } {
  const { document: resource } = useRoom();
  useUsed(resource);
  const { value: document, isLoading, error } = useWhole(resource);
  return useMemo(() => ({ document, isLoading, error }), [document, isLoading, error]);
}

/** A piece of live state of the room, and a function that writes it. Only editors may write. */
export function useLiveState<T extends Record<string, unknown>>(
  id: string,
): [state: T | undefined, write: (state: T) => Promise<void>] {
  const room = useRoom();
  const state = useReadable(
    room.liveState,
    useCallback((all: ReadonlyMap<string, unknown>) => all.get(id), [id]),
  );
  const write = useCallback((next: T) => room.setLiveState(id, next), [room, id]);
  return [state as T | undefined, write];
}
