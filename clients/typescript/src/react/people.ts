import type { LiveUser, PresenceStatus } from "../live/document.js";
import type { Group } from "../store/groups.js";
import type { Role } from "../store/store.js";
import type { User } from "../store/users.js";
import { useRoom, useRoundtable } from "./context.js";
import { useCallback, useEffect, useMemo, useState } from "./react.js";
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

/** Somebody, as `resolveUsers` or the service knows them; at first the id as name. */
export function useUser(userId: string): User {
  const [user] = useUsers([userId]);
  return user ?? { id: userId, name: userId };
}

/** People in the order of their ids, asked for together. */
export function useUsers(userIds: readonly string[]): readonly User[] {
  const { users } = useRoundtable();
  const key = JSON.stringify(userIds);
  const ids = useMemo(() => JSON.parse(key) as string[], [key]);
  useEffect(() => void users.want(ids), [users, ids]);
  const known = useWhole(users.state);
  const found = useMemo(() => ids.map((id) => known.get(id) ?? users.of(id)), [ids, known, users]);
  return found;
}

/** How long to wait for the next letter. */
const TYPED_MS = 150;

/** People for a mention. */
export interface Mentions {
  users: readonly User[];
  /** Whether those for what is typed now are still looked for. */
  isLoading: boolean;
}

/** People for a mention, by what is typed after `@`; nobody for `undefined`. */
export function useMentions(query: string | undefined): Mentions {
  const store = useRoundtable();
  const [found, setFound] = useState<{ query: string | undefined; users: readonly User[] }>({ query: undefined, users: [] });
  useEffect(() => {
    if (query === undefined) return;
    let isOver = false;
    const show = (users: readonly User[]): void => void (isOver || setFound({ query, users }));
    const timer = setTimeout(() => store.mentions(query).then(show, () => show([])), query === "" ? 0 : TYPED_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [store, query]);
  return useMemo(
    () => (query === undefined ? { users: [], isLoading: false } : { users: found.users, isLoading: found.query !== query }),
    [query, found],
  );
}

/** A group of users, as the service knows it; at first the id as name. */
export function useGroup(groupId: string): Group {
  const { groups } = useRoundtable();
  useEffect(() => void groups.want([groupId]), [groups, groupId]);
  const known = useWhole(groups.state).get(groupId);
  return useMemo(() => known ?? { id: groupId, name: groupId }, [known, groupId]);
}
