import type { Person } from "../generated/types.js";
import { Signal } from "./signal.js";

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

/** Users who are mentioned together. */
export interface Group {
  id: string;
  name: string;
}

/** When to ask again for people after a failure. */
const AGAIN_MS = 10_000;

/** People by id, asked for together and once. */
export class Users {
  /** Who is known. */
  readonly state = new Signal<ReadonlyMap<string, User>>(new Map());
  readonly #asked = new Set<string>();
  /** Who is known from threads: their names do not replace those of the application. */
  readonly #met = new Map<string, User>();
  #wanted: string[] = [];
  /** Who waits for people, besides those who watch `state`. */
  #asking: Promise<void> = Promise.resolve();

  constructor(private readonly resolve: () => ResolveUsers | undefined) {}

  /** Asks for people who are not known. */
  want(ids: readonly string[]): void {
    const fresh = [...new Set(ids)].filter((id) => !this.#asked.has(id));
    if (fresh.length === 0 || !this.resolve()) return;
    for (const id of fresh) this.#asked.add(id);
    const isFirst = this.#wanted.length === 0;
    this.#wanted.push(...fresh);
    if (!isFirst) return;
    const before = this.#asking;
    const asked = Promise.resolve().then(() => this.#ask(this.#wanted.splice(0)));
    this.#asking = asked.then(() => before);
  }

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
    this.want(ids);
    await this.#asking;
    return ids.map((id) => this.of(id));
  }

  async #ask(ids: string[]): Promise<void> {
    try {
      const found = (await this.resolve()?.(ids)) ?? [];
      if (found.length > 0)
        this.state.set(new Map([...this.state.get(), ...found.map((user) => [user.id, user] as const)]));
    } catch (error) {
      console.warn("roundtable: resolveUsers failed", error);
      setTimeout(() => ids.forEach((id) => this.#asked.delete(id)), AGAIN_MS);
    }
  }
}

/** Somebody of a thread or a notification, as far as the service knows them. */
export function userOf({ userId, name, photoUrl, color }: Person): User {
  return { id: userId, name: name ?? userId, ...(photoUrl && { avatarUrl: photoUrl }), ...(color && { color }) };
}
