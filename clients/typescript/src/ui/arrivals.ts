import { useEffect, useRef, useState } from "../react/react.js";

/** What to say of the newest item that came after the first list was read; at first nothing. */
export function useArrival<T>(
  items: readonly T[],
  isLoading: boolean,
  idOf: (item: T) => string,
  say: (item: T) => string | undefined,
): string {
  const known = useRef<Set<string> | undefined>(undefined);
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (isLoading) return;
    const before = known.current;
    known.current = new Set(items.map(idOf));
    if (!before) return;
    const words = items.filter((it) => !before.has(idOf(it))).map(say);
    const last = words.filter((it) => it !== undefined).at(-1);
    if (last !== undefined) setSaid(last);
  });
  return said;
}
