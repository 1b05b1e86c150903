import { useCallback, useEffect, useMemo } from "react";

import type { LiveUser, PresenceStatus } from "../live/document.js";
import type { Role } from "../store/store.js";
import type { User } from "../store/users.js";
import { useRoom, useRoundtable } from "./context.js";
import { isShallowEqual, useReadable, useWhole } from "./select.js";

const all = (users: readonly LiveUser[]): readonly LiveUser[] => users;

/** Everybody else who is in the room, ordered by id. */
export function useOthers(): readonly LiveUser[];
/** A part of that: the component renders again when the part is another one. */
export function useOthers<T>(select: (others: readonly LiveUser[]) => T, isEqual?: (a: T, b: T) => boolean): T;
export function useOthers(
  select: (others: readonly LiveUser[]) => unknown = all,
  isEqual: (a: unknown, b: unknown) => boolean = isShallowEqual,
): unknown {
  const { userId } = useRoundtable().options;
  const others = useCallback(
    (people: readonly LiveUser[]) => select(people.filter((it) => it.userId !== userId && it.status !== "offline")),
    [select, userId],
  );
  return useReadable(useRoom().people, others, isEqual);
}

/** The user of the page. */
export function useSelf(): User & { role: Role } {
  const store = useRoundtable();
  const user = useUser(store.options.userId);
  const role = useRole();
  return useMemo(() => ({ ...user, role }), [user, role]);
}

/** What the user may do. */
export function useRole(): Role {
  return useWhole(useRoundtable().roles);
}

/** How somebody is in the room. */
export function useStatusOf(userId: string): PresenceStatus {
  return useReadable(
    useRoom().people,
    useCallback(
      (people: readonly LiveUser[]) => people.find((it) => it.userId === userId)?.status ?? "offline",
      [userId],
    ),
  );
}

/** Somebody, as `resolveUsers` knows them; at first the id as name. */
export function useUser(userId: string): User {
  const [user] = useUsers([userId]);
  return user ?? { id: userId, name: userId };
}

/** People in the order of their ids, asked for together. */
export function useUsers(userIds: readonly string[]): readonly User[] {
  const { users } = useRoundtable();
  const key = JSON.stringify(userIds);
  const ids = useMemo(() => JSON.parse(key) as string[], [key]);
  useEffect(() => users.want(ids), [users, ids]);
  const known = useWhole(users.state);
  const found = useMemo(() => ids.map((id) => known.get(id) ?? users.of(id)), [ids, known, users]);
  return found;
}
