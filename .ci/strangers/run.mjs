// Runs programs against one server, one after the other, and judges each.
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { FIRST, Host, LAST, ORGANIZATION, rank, settle } from "./host.mjs";
import { isWide, lasting, megabytes } from "./program.mjs";

const HERE = new URL(".", import.meta.url).pathname;
/** How long work is watched before a program, in ms, and how many such times make the idle value. */
const IDLE_MS = 300;
const IDLE_TIMES = 8;
const WARM_MS = 1_500;
/** Reads and strokes take at most so many times as long as in idle times. */
const TIMES = 2;
/** Less, in ms, is the noise of two processors, of which attackers use up one. */
const MOST_MS = 100;
/** Other work may take so long, in ms, or twice as many times as long as in idle times. */
const PATIENCE_MS = 400;
/** A machine on which idle reads and strokes take longer does other things: only who stands still for so long, in
 * ms, and for so many idle times, is noticed there. */
const BUSY_MS = MOST_MS / TIMES;
const STILL_MS = 1_200;
const STILL = 10;
/** How long a server may keep the memory that a program took, and how many MB for good. */
const BACK_MS = 60_000;
const KEPT = 100;
/** How long messages that were sent may still be handled. */
const SETTLED_MS = 3_000;
/** Megabytes of large messages that a user may send at once, with those that are under way, and in a second. */
const BURST = 35 + 18 + 10;
const MEGABYTES_PER_SECOND = 1.05;
/** After a program, a server uses less than this part of a processor, within a while. */
const CALM = 0.5;
const LOOK_MS = 60;
/** The tenant whose editor an act appends to, by its credential. */
const APPENDED = { writer: "target", server: "foreign" };

/** A server, those who work with it, and those who attack it. */
export class Stage {
  #idle = [];
  #editors = 0;

  static async make(lifted) {
    const stage = new Stage();
    stage.host = await Host.start(lifted);
    Object.assign(stage, await settle(stage.host));
    stage.neighbours = fork(`${HERE}neighbours.mjs`, { detached: true });
    stage.attackers = fork(`${HERE}attackers.mjs`, { detached: true });
    rank(stage.neighbours.pid, FIRST);
    rank(stage.attackers.pid, LAST);
    stage.neighbours.send({ cast: stage.cast });
    // Connections are opened, and caches filled, before anything is measured.
    await stage.watch(WARM_MS);
    stage.#note(await stage.watch(WARM_MS));
    stage.base = stage.host.megabytes;
    return stage;
  }

  async end() {
    this.neighbours.kill();
    this.attackers.kill();
    await this.host.end();
  }

  /** Has the neighbours work for a while; answers how long everything took. */
  async watch(ms) {
    this.neighbours.send({ begin: true });
    await pause(ms);
    const told = once(this.neighbours, "message");
    this.neighbours.send({});
    return (await told)[0];
  }

  #note(seen) {
    this.#idle.push(seen);
    if (this.#idle.length > IDLE_TIMES) this.#idle.shift();
  }

  /** Waits until nothing is left to do. */
  async #isCalm() {
    for (const end = Date.now() + BACK_MS; Date.now() < end; ) {
      const before = this.host.seconds;
      await pause(LOOK_MS);
      if (this.host.seconds - before < (CALM * LOOK_MS) / 1000) return true;
    }
    return false;
  }

  /** Runs a program; all that is wrong. `thorough` is how much longer it is looked at. */
  async run(program, thorough = 1) {
    const { host } = this;
    const lasts = lasting(program) * thorough;
    if (thorough > 1) this.#idle = [];
    if (!(await this.#isCalm())) return [{ kind: "busy", text: "the service works on a minute after the program before" }];
    const idle = await this.watch(IDLE_MS * (thorough > 1 ? 5 : 1));
    this.#note(idle);
    const editor = `m${this.#editors++}`;
    for (const credential of appending(program)) await this.tenants[APPENDED[credential]].add(editor);
    const before = host.megabytes;
    let most = before;
    const looks = setInterval(() => (most = Math.max(most, host.megabytes)), 20);
    this.attackers.send({ cast: this.cast, program, editor, next: idle.next });
    await pause(60);
    const seen = await this.watch(lasts);
    const bound = megabytes(program);
    // Connections stay, and what they keep of messages.
    for (const end = Date.now() + SETTLED_MS; host.megabytes - before > bound.held && Date.now() < end; ) await pause(20);
    const held = host.megabytes - before;
    const { files } = host;
    const told = once(this.attackers, "message");
    this.attackers.send({ over: true });
    const [{ accepted, answers, sent }] = await told;
    const faults = await this.#judge(program, { seen, lasts, held, most: most - before, bound, editor, accepted, sent });
    clearInterval(looks);
    this.said = { isBusy: this.isBusy, answers, files, idle: this.figures(this.#idle), during: this.figures([seen]), megabytes: [this.base, before, most, host.megabytes] };
    return faults;
  }

  /** The 99th percentile of everything, in ms. */
  figures(seen) {
    const all = {};
    for (const { took, waits } of seen) {
      for (const [name, times] of Object.entries(took)) (all[name] ??= []).push(...times);
      for (const [name, time] of Object.entries(waits)) (all[name] ??= []).push(time);
    }
    return Object.fromEntries(Object.entries(all).map(([name, times]) => [name, Math.round(highest(times))]));
  }

  async #judge(program, { seen, lasts, held, most, bound, editor, accepted, sent }) {
    const { host } = this;
    const faults = [];
    const isExcused = (said) => said.split(":")[0].endsWith("arrive") && isWide(program);
    if (host.ended !== undefined) return [{ kind: "the process ends", text: `${host.ended}: ${host.lastWords}` }];
    const refused = seen.failures.filter((it) => !isExcused(it));
    if (refused.length > 0) faults.push({ kind: "refused", text: [...new Set(refused)].slice(0, 6).join("; ") });
    const [idle, during] = [this.figures(this.#idle), this.figures([seen])];
    this.isBusy = Object.entries(idle).some(([name, took]) => isQuick(name) && took > BUSY_MS);
    const slow = [];
    for (const [name, took] of Object.entries(during)) {
      const usual = idle[name] ?? 0;
      const usually = isQuick(name) ? Math.max(TIMES * usual, MOST_MS) : Math.max(2 * TIMES * usual, PATIENCE_MS);
      const limit = this.isBusy ? Math.max(STILL * usual, STILL_MS) : usually;
      if (took > limit && !isExcused(name)) slow.push({ name, said: `${name} ${took} ms, idle ${usual} ms` });
    }
    if (slow.length > 0) faults.push({ kind: "slow", text: slow.map(({ said }) => said).join("; "), of: slow.map(({ name }) => name) });
    if (most > bound.most) faults.push({ kind: "memory", text: `${most} MB, more than ${Math.round(bound.most)}` });
    // On a busy machine, what attackers sent is still being handled.
    if (held > bound.held && !this.isBusy) faults.push({ kind: "memory is held", text: `${held} MB, more than ${Math.round(bound.held)}` });
    for (const [user, bytes] of Object.entries(sent)) {
      const taken = bytes / 1_000_000 - (lasts / 1_000) * MEGABYTES_PER_SECOND;
      if (taken > BURST) faults.push({ kind: "bytes are taken", text: `${Math.round(taken)} MB of ${user} at once` });
    }
    faults.push(...(await this.#judgeEditors(program, seen.typed, editor, accepted)));
    for (const end = Date.now() + BACK_MS; host.megabytes - this.base > KEPT; await pause(50)) {
      if (Date.now() > end) return [...faults, { kind: "memory stays", text: `${this.base} MB, and ${host.megabytes} MB a minute later` }];
    }
    return faults;
  }

  /** Every editor is readable, and has what was accepted. */
  async #judgeEditors(program, typed, editor, accepted) {
    const wanted = Object.entries(typed).map(([who, clocks]) => [who, "e", clocks]);
    for (const credential of appending(program)) wanted.push([APPENDED[credential], editor, accepted[credential] ?? []]);
    for (const [who, name, clocks] of wanted) {
      let has;
      try {
        has = await this.tenants[who].clocks(name);
      } catch (error) {
        return [{ kind: "an editor cannot be read", text: `${ORGANIZATION}/${name} of ${who}: ${error.message}` }];
      }
      const lost = clocks.find(([client, clock]) => (has.get(client) ?? 0) < clock);
      if (lost) return [{ kind: "what was accepted is lost", text: `${name} of ${who} has ${has.get(lost[0]) ?? 0} of ${lost}` }];
    }
    return [];
  }
}

/** The credentials of those who append to an editor of the program. */
const appending = ({ acts }) => new Set(acts.filter(({ act }) => ["appends", "marks"].includes(act)).map(({ credential }) => credential));
const isQuick = (name) => /read|stroke/.test(name);

/** The 99th percentile: the highest of less than a hundred values. */
function highest(times) {
  const sorted = [...times].sort((a, b) => b - a);
  return sorted[Math.floor(sorted.length / 100)];
}
