import { randomName } from "../random.js";

/** Owners of this page, for platforms without Web Locks. */
const alive = new Set<string>();

/**
 * Who sends the kept changes of a store. An owner holds a Web Lock while its page lives, so that
 * another page takes over what a closed one left, and never what is being sent. Without Web Locks two
 * pages may send the same change; its key lets the service execute it once.
 */
export class Owner {
  readonly name = randomName();
  #release: (() => void) | undefined;

  begin(): void {
    alive.add(this.name);
    const ended = new Promise<void>((resolve) => (this.#release = resolve));
    locks()
      ?.request(lockOf(this.name), () => ended)
      .catch(() => {});
  }

  end(): void {
    alive.delete(this.name);
    this.#release?.();
  }
}

/** Does something while an owner is certainly gone, and nobody else does it; not at all if the owner lives. */
export async function insteadOf(owner: string, does: () => Promise<void>): Promise<void> {
  if (alive.has(owner)) return;
  const manager = locks();
  if (!manager) return does();
  await manager.request(lockOf(owner), { ifAvailable: true }, (lock) => (lock ? does() : undefined));
}

function locks(): LockManager | undefined {
  return (globalThis.navigator as Navigator | undefined)?.locks;
}

function lockOf(owner: string): string {
  return `roundtable-outbox-${owner}`;
}
