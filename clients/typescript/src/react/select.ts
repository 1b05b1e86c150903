import type { Readable } from "../store/signal.js";
import { useDebugValue, useEffect, useMemo, useRef, useSyncExternalStore } from "./react.js";

type Equality<S> = (a: S, b: S) => boolean;

/**
 * A part of a value that changes. The component renders again when that part is another one, and not
 * with each change of the value. A server, and the first render of its page, see what the value was
 * before anything was known.
 */
export function useReadable<T, S>(readable: Readable<T>, select: (value: T) => S, isEqual: Equality<S> = Object.is): S {
  // What was rendered last: a new selector that selects the same renders nothing anew.
  const rendered = useRef<{ selected: S } | undefined>(undefined);
  const [get, getInitial] = useMemo(() => {
    const memo = (read: () => T): (() => S) => {
      let last: { value: T; selected: S } | undefined;
      return () => {
        const value = read();
        if (last && Object.is(last.value, value)) return last.selected;
        const before = last ?? rendered.current;
        const fresh = select(value);
        const selected = before && isEqual(before.selected, fresh) ? before.selected : fresh;
        last = { value, selected };
        return selected;
      };
    };
    return [memo(readable.get), memo(() => readable.initial)];
  }, [readable, select, isEqual]);
  const selected = useSyncExternalStore(readable.subscribe, get, getInitial);
  useEffect(() => void (rendered.current = { selected }), [selected]);
  useDebugValue(selected);
  return selected;
}

/** Uses something while a component is there. */
export function useUsed(used: { enter(): () => void }): void {
  useEffect(() => used.enter(), [used]);
}

/** The whole value. */
export function useWhole<T>(readable: Readable<T>): T {
  return useSyncExternalStore(readable.subscribe, readable.get, () => readable.initial);
}

/** Whether two lists or objects have the same members. */
export function isShallowEqual<T>(a: T, b: T): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const [left, right] = [Object.entries(a), b as Record<string, unknown>];
  return left.length === Object.keys(b).length && left.every(([name, value]) => Object.is(value, right[name]));
}
