import type { Person } from "../generated/types.js";
import { Names } from "./names.js";

/** A person as the application shows them. */
export interface User {
  id: string;
  name: string;
  avatarUrl?: string;
  color?: string;
}

/** Finds people; those who are unknown are left out. */
export type ResolveUsers = (ids: string[]) => User[] | Promise<User[]>;

/** Finds people by the beginning of their name; the ones to offer first come first. */
export type ResolveMentions = (query: string) => User[] | Promise<User[]>;

/** People by id, asked for together and once. */
export class Users extends Names<User> {
  /** Who is known from threads: their names do not replace those of the application. */
  readonly #met = new Map<string, User>();

  /** Somebody as the service knows them. */
  learn(user: User): void {
    if (user.name !== user.id) this.#met.set(user.id, user);
  }

  /** Somebody, as far as they are known: at least by their id. */
  of(id: string): User {
    return this.state.get().get(id) ?? this.#met.get(id) ?? { id, name: id };
  }

  /** Everybody who is known, by name. */
  known(): User[] {
    const all = new Map([...this.#met, ...this.state.get()]);
    return [...all.values()].sort((a, b) => a.name.localeCompare(b.name));
  }

  /** People in the order of their ids; whoever is unknown has the id as name. */
  async find(ids: readonly string[]): Promise<User[]> {
    await this.want(ids);
    return ids.map((id) => this.of(id));
  }
}

/** Somebody of a thread or a notification, as far as the service knows them. */
export function userOf({ userId, name, photoUrl, color }: Person): User {
  return { id: userId, name: name ?? userId, ...(photoUrl && { avatarUrl: photoUrl }), ...(color && { color }) };
}
