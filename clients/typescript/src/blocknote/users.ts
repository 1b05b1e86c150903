import { type UserStore, createUserStore } from "@blocknote/core";

import { held } from "../held.js";
import type { RoundtableStore } from "../store/store.js";

const users = new WeakMap<RoundtableStore, UserStore>();

/** People of a store, as BlockNote asks for them; one for all its editors. */
export function userStoreOf(store: RoundtableStore): UserStore {
  return held(users, store, () =>
    createUserStore(async (ids: string[]) => {
      const found = await store.users.find(ids);
      return found.map(({ id, name, avatarUrl, color }) => ({
        id,
        username: name,
        avatarUrl: avatarUrl ?? "",
        ...(color && { color }),
      }));
    }),
  );
}

/**
 * Has people in the store of BlockNote by what is known of them: its list of threads cannot show one that was
 * resolved by somebody who is not there yet.
 */
export function introduce(store: RoundtableStore, ids: readonly string[]): void {
  const all = userStoreOf(store);
  const unknown = [...new Set(ids)].filter((id) => !all.getUser(id));
  if (unknown.length === 0) return;
  all.setUser(unknown.map((id) => ({ id, username: store.users.of(id).name, avatarUrl: "" })));
  void all.refetchUsers(unknown);
}
