import * as Y from "yjs";

/** Items of Yjs: the client, its first clock, and how many there are. */
export type AuthorRange = readonly [client: number, clock: number, length: number];

/** What a user did. */
export interface ChangedBy {
  /** Nobody, when it is not known. */
  userId?: string | null;
  inserts: readonly AuthorRange[];
  deletes: readonly AuthorRange[];
}

/** Ranges of items, by client. */
type Ranges = Y.Snapshot["ds"];

/** Who wrote and who deleted what, as y-prosemirror asks for it: a `permanentUserData` of its plugin. */
export type UserData = Pick<Y.PermanentUserData, "dss" | "getUserByClientId" | "getUserByDeletedId">;

/**
 * Users by what they did, for `renderSnapshot` of y-prosemirror. The names that it shows are user ids.
 *
 * y-prosemirror asks for the user of a client, not of an item. A client of Yjs belongs to one user, except those
 * of a server, which writes for several: of these, it is who wrote most.
 */
export function permanentUserData(changes: readonly ChangedBy[]): UserData {
  const dss = new Map<string, Ranges>();
  const most = new Map<number, { userId: string; length: number }>();
  for (const [userId, { inserts, deletes }] of byUser(changes)) {
    dss.set(userId, deleteSet(deletes));
    for (const [client, length] of lengths(inserts)) {
      if (length > (most.get(client)?.length ?? 0)) most.set(client, { userId, length });
    }
  }
  return {
    dss,
    getUserByClientId: (client: number) => most.get(client)?.userId ?? null,
    getUserByDeletedId: (id: Y.ID) => [...dss].find(([, deleted]) => Y.isDeleted(deleted, id))?.[0] ?? null,
  };
}

/** One entry for each user who is known. */
function byUser(changes: readonly ChangedBy[]): Map<string, { inserts: AuthorRange[]; deletes: AuthorRange[] }> {
  const all = new Map<string, { inserts: AuthorRange[]; deletes: AuthorRange[] }>();
  for (const { userId, inserts, deletes } of changes) {
    if (!userId) continue;
    const before = all.get(userId);
    all.set(userId, {
      inserts: [...(before?.inserts ?? []), ...inserts],
      deletes: [...(before?.deletes ?? []), ...deletes],
    });
  }
  return all;
}

function lengths(ranges: readonly AuthorRange[]): Map<number, number> {
  const found = new Map<number, number>();
  for (const [client, , length] of ranges) found.set(client, (found.get(client) ?? 0) + length);
  return found;
}

function deleteSet(ranges: readonly AuthorRange[]): Ranges {
  const set = Y.createDeleteSet();
  for (const [client, clock, len] of ranges) {
    const items = set.clients.get(client) ?? [];
    set.clients.set(client, items);
    items.push({ clock, len });
  }
  // Yjs looks for an item by halves: ranges have to be in their order.
  return Y.mergeDeleteSets([set]);
}
