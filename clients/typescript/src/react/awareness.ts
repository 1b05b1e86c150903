import { useCallback, useMemo, useSyncExternalStore } from "./react.js";

/** The awareness of a shared editor, as y-protocols has it. */
export interface AwarenessLike {
  clientID: number;
  getStates(): Map<number, Record<string, unknown>>;
  setLocalStateField(field: string, value: unknown): void;
  on(event: "change", listener: () => void): void;
  off(event: "change", listener: () => void): void;
}

/** What one client says in an editor: cursor, selection, any JSON. */
export interface AwarenessState<T> {
  clientId: number;
  isSelf: boolean;
  state: T;
}

const NOBODY: readonly AwarenessState<never>[] = [];

/** What everybody in a shared editor says, ordered by client; empty on a server. */
export function useAwareness<T extends Record<string, unknown>>(
  awareness: AwarenessLike | undefined,
): readonly AwarenessState<T>[] {
  const [subscribe, get] = useMemo(() => {
    let states: readonly AwarenessState<T>[] | undefined;
    const read = (): readonly AwarenessState<T>[] =>
      [...(awareness?.getStates() ?? [])]
        .sort(([a], [b]) => a - b)
        .map(([clientId, state]) => ({ clientId, isSelf: clientId === awareness?.clientID, state: state as T }));
    const listen = (told: () => void): (() => void) => {
      const changed = (): void => {
        states = undefined;
        told();
      };
      awareness?.on("change", changed);
      // What changed between the render and this.
      changed();
      return () => awareness?.off("change", changed);
    };
    return [listen, () => (states ??= read())];
  }, [awareness]);
  return useSyncExternalStore(subscribe, get, () => NOBODY);
}

/** Says something in a shared editor. */
export function useUpdateAwareness(awareness: AwarenessLike | undefined): (field: string, value: unknown) => void {
  return useCallback((field, value) => awareness?.setLocalStateField(field, value), [awareness]);
}
