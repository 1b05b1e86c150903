import type { Roundtable } from "../client.js";
import { ApiError } from "../errors.js";
import type { User as Member } from "../generated/types.js";
import { type Group, type User } from "./users.js";

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
  ask<T>(call: () => Promise<T>): Promise<T>;
}

/** People and groups as the service knows them. */
export class People {
  constructor(private readonly ends: PeopleEnds) {}

  /** People by id: members of the organization, and those of documents that the user looks at. */
  readonly users = async (ids: string[]): Promise<User[]> => {
    const found = new Map<string, User>();
    for (const place of this.#places()) {
      const left = ids.filter((id) => !found.has(id));
      for (let from = 0; from < left.length; from += MOST_IDS) {
        const members = await this.#members({ ...place, userIds: left.slice(from, from + MOST_IDS) });
        for (const member of members) found.set(member.userId, userOfMember(member));
      }
    }
    return [...found.values()];
  };

  /** People by the beginning of a word of their name, but for the user. */
  readonly mentions = async (prefix: string): Promise<User[]> => {
    const found = new Map<string, User>();
    for (const place of this.#places()) {
      const members = await this.#members({ ...place, prefix, pageSize: MOST_FOUND });
      for (const member of members) found.set(member.userId, userOfMember(member));
    }
    found.delete(this.ends.userId);
    return [...found.values()].sort((a, b) => a.name.localeCompare(b.name)).slice(0, MOST_FOUND);
  };

  /** Groups of the organization by id. */
  readonly groups = async (ids: string[]): Promise<Group[]> => {
    const { api, organizationId } = this.ends;
    const found: Group[] = [];
    for (let from = 0; from < ids.length; from += MOST_IDS) {
      const request = { organizationId, organizationUserGroupIds: ids.slice(from, from + MOST_IDS) };
      const data = await this.#allowed(() => api.userGroups.get(request).then((reply) => reply.data));
      found.push(...data.map(({ groupId, groupName }) => ({ id: groupId, name: groupName ?? groupId })));
    }
    return found;
  };

  /** The organization, and the documents that the user looks at. */
  #places(): { documentId?: string }[] {
    return [{}, ...this.ends.documents().map((documentId) => ({ documentId }))];
  }

  #members(filter: { documentId?: string; userIds?: string[]; prefix?: string; pageSize?: number }): Promise<Member[]> {
    const { api, organizationId } = this.ends;
    return this.#allowed(async () => {
      const { data } = await api.users.get({ organizationId, ...filter });
      return data as Member[];
    });
  }

  /** Where the user has no right, nobody is known. */
  async #allowed<T>(call: () => Promise<T[]>): Promise<T[]> {
    try {
      return await this.ends.ask(call);
    } catch (error) {
      if (error instanceof ApiError && ["PERMISSION_DENIED", "NOT_FOUND"].includes(error.code)) return [];
      throw error;
    }
  }
}

function userOfMember({ userId, name, photoUrl, color }: Member): User {
  return { id: userId, name: name ?? userId, ...(photoUrl && { avatarUrl: photoUrl }), ...(color && { color }) };
}
