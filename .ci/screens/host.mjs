// The process of the service, which ends without a warning and comes back on its data.
import { readFileSync } from "node:fs";
import { BASE, Service } from "./service.mjs";
import { now } from "./clock.mjs";

/** One process, and when it died. */
export class Host {
  #service = new Service();
  #deaths = [];
  #restarting;
  /** The processor time of processes that were killed. */
  #spent = 0;

  static async start() {
    if (await fetch(BASE).then(() => true, () => false)) throw new Error(`Something answers at ${BASE} already.`);
    const host = new Host();
    await host.#service.start(...Host.flags);
    return host;
  }

  /** Messages that overtake each other; `--aws-delays` beside it makes workers late. */
  static get flags() {
    return (process.env.FLAGS ?? "--live-reorder").split(" ").filter(Boolean);
  }

  get operator() {
    return this.#service.operator;
  }

  /** Kills the process and starts it again. */
  restart() {
    this.#restarting ??= this.#again().finally(() => (this.#restarting = undefined));
    return this.#restarting;
  }

  async #again() {
    this.#deaths.push(now());
    this.#spent = this.seconds ?? 0;
    await this.#service.kill();
    await this.#service.start(...Host.flags);
    this.#deaths.push(now());
  }

  /** Whether it died since a moment. */
  hasDiedSince(at) {
    return this.#deaths.some((death) => death > at - 100);
  }

  /** Whether it died a while after a moment. */
  diedAfter(at) {
    return this.#deaths.some((death) => death > at - 100 && death < at + 10_000);
  }

  /** The processor time of the service, in seconds; only on Linux. */
  get seconds() {
    try {
      const [user, system] = readFileSync(`/proc/${this.#service.pid}/stat`, "utf8").split(" ").slice(13, 15);
      return this.#spent + (Number(user) + Number(system)) / 100;
    } catch {
      return undefined;
    }
  }

  end() {
    return this.#service.end();
  }
}
