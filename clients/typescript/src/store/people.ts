import type { Roundtable } from "../client.js";
import { ApiError, HIDDEN } from "../errors.js";
import type { User as Member, UsersGetRequest } from "../generated/types.js";
import type { Group } from "./groups.js";
import { type User, userOf } from "./users.js";

/** How many ids one call names. */
const MOST_IDS = 30;
/** How many people are found for a mention. */
const MOST_FOUND = 20;

/** What people are asked for with. */
export interface PeopleEnds {
  api: Roundtable;
  organizationId: string;
  userId: string;
  /** Documents that the user looks at: a guest of one learns who else is in it. */
  documents(): string[];
}

/** People and groups as the service knows them. */
export class People {
  readonly #ends: PeopleEnds;

  constructor(ends: PeopleEnds) {
    this.#ends = ends;
  }

  /** People by id: members of the organization, and those of documents that the user looks at. */
  readonly users = async (ids: string[]): Promise<User[]> => {
    const found = new Map<string, User>();
    for (const place of this.#places())
      for (const userIds of parts(ids.filter((id) => !found.has(id)))) await this.#find(found, { ...place, userIds });
    return [...found.values()];
  };

  /** People by the beginning of a word of their name, but for the user. */
  readonly mentions = async (prefix: string): Promise<User[]> => {
    const found = new Map<string, User>();
    for (const place of this.#places()) await this.#find(found, { ...place, prefix, pageSize: MOST_FOUND });
    found.delete(this.#ends.userId);
    return [...found.values()].sort((a, b) => a.name.localeCompare(b.name)).slice(0, MOST_FOUND);
  };

  /** Groups of the organization by id. */
  readonly groups = async (ids: string[]): Promise<Group[]> => {
    const { api, organizationId } = this.#ends;
    const found: Group[] = [];
    for (const organizationUserGroupIds of parts(ids)) {
      const data = await allowed(api.userGroups.get({ organizationId, organizationUserGroupIds }));
      found.push(...data.map(({ groupId, groupName }) => ({ id: groupId, name: groupName ?? groupId })));
    }
    return found;
  };

  /** The organization, and the documents that the user looks at. */
  #places(): UsersGetRequest[] {
    const { organizationId } = this.#ends;
    return [{ organizationId }, ...this.#ends.documents().map((documentId) => ({ organizationId, documentId }))];
  }

  async #find(found: Map<string, User>, request: UsersGetRequest): Promise<void> {
    for (const member of await allowed(this.#ends.api.users.get(request) as Promise<{ data: Member[] }>))
      found.set(member.userId, userOf(member));
  }
}

/** Ids as calls name them. */
function parts(ids: string[]): string[][] {
  return ids.length === 0 ? [] : [ids.slice(0, MOST_IDS), ...parts(ids.slice(MOST_IDS))];
}

/** Where the user has no right, nobody is known. */
async function allowed<T>(reply: Promise<{ data: T[] }>): Promise<T[]> {
  try {
    return (await reply).data;
  } catch (error) {
    if (error instanceof ApiError && HIDDEN.includes(error.code)) return [];
    throw error;
  }
}
