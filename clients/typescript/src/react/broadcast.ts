import type { LiveBroadcast, PresenceData } from "../live/document.js";
import { useRoom } from "./context.js";
import { useCallback, useEffect, useRef } from "./react.js";

/** A function that says JSON of at most 1 KB to whoever is in the room now; nothing is kept. */
export function useBroadcast<T>(): (data: T) => void {
  const room = useRoom();
  return useCallback((data: T) => room.broadcast(data), [room]);
}

/** A function that says an object of at most 1 KB of the user, which `useOthers` of others has as `data` until the user leaves. */
export function useUpdatePresence<T extends PresenceData>(): (data: T) => void {
  return useRoom().setPresenceData;
}

/** Hears what others in the room say, also on other pages of the user. The listener may be another one with each render. */
export function useEvent<T>(listener: (data: T, userId: string) => void): void {
  const room = useRoom();
  const latest = useRef(listener);
  useEffect(() => void (latest.current = listener));
  useEffect(() => room.onBroadcast(({ data, userId }: LiveBroadcast) => latest.current(data as T, userId)), [room]);
}
