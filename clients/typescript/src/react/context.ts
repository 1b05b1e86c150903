import type { RoomStore } from "../store/room.js";
import type { RoundtableStore } from "../store/store.js";
import { createContext, useContext } from "./react.js";

export const StoreContext = createContext<RoundtableStore | undefined>(undefined);
export const RoomContext = createContext<RoomStore | undefined>(undefined);

/** The store of `<Roundtable>`. */
export function useRoundtable(): RoundtableStore {
  const store = useContext(StoreContext);
  if (!store) throw new Error("<Roundtable> is missing.");
  return store;
}

/** The store of `<Room>`. */
export function useRoom(): RoomStore {
  const room = useContext(RoomContext);
  if (!room) throw new Error("<Room> is missing.");
  return room;
}
