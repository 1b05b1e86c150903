// Programs: who has which right, and the steps that are taken. Each step means something whatever was
// left out before it, so that programs can be made shorter.
import { Random } from "./random.mjs";

const SLOTS = 5;
const KINDS = { ours: 6, static: 1, hocuspocus: 2, y: 1.5, "native-hocuspocus": 1, "native-y": 1 };
const ROLES = { editor: 5, commenter: 1, viewer: 2, none: 2 };
const STEPS = {
  open: 3, follow: 1.5, type: 9, paste: 0.3, typeAndLeave: 2, erase: 2, leave: 1, crash: 1, reload: 2.5, disconnect: 1, connect: 1,
  cut: 2, down: 1.5, mute: 1, deaf: 1, heal: 2.5, doubles: 0.4, role: 2.5, roleWhileTyping: 1.2, expire: 0.5, delete: 1, add: 1.2, write: 1.2,
  drop: 0.15, comment: 2.5, uncomment: 0.8, burst: 0.12, state: 0.4, rest: 0.7, wait: 2, settle: 1.5, kill: 0.05,
  refollow: 0.7, tokens: 0.6, away: 0.5, oversize: 0.06, undo: 0.3,
};

const roleOf = (random) => {
  const role = random.weighted(ROLES);
  return role === "none" ? null : role;
};

/** The program of a seed. */
export function draw(seed) {
  const random = new Random(seed);
  const people = [["editor", "editor"]];
  for (let n = 1 + random.below(3); n > 0; n--) people.push([roleOf(random), roleOf(random)]);
  const steps = [];
  const anyone = () => random.below(people.length);
  // Most meet in one document.
  const room = () => (random.chance(0.8) ? 0 : 1);
  const slot = () => random.below(SLOTS);
  const part = () => Math.round(random.number() * 100) / 100;
  const kind = () => random.weighted(KINDS);
  const make = {
    open: () => [slot(), anyone(), room(), kind(), random.chance(0.2) ? "late" : "early"],
    follow: () => [slot(), anyone(), room(), random.chance(0.2) ? "static" : "fresh"],
    type: () => [slot(), part(), 1 + random.below(3)],
    typeAndLeave: () => [slot(), part(), 1 + random.below(6)],
    erase: () => [slot(), part()],
    reload: () => [slot(), random.chance(0.4) ? "crash" : "leave", random.chance(0.3) ? "late" : "early"],
    heal: () => [slot(), random.chance(0.1) ? "silent" : "reset"],
    role: () => [anyone(), room(), roleOf(random)],
    roleWhileTyping: () => [slot(), roleOf(random)],
    expire: () => [],
    delete: () => [room()],
    add: () => [room()],
    write: () => [room()],
    drop: () => [room()],
    paste: () => [slot(), part(), random.pick([40_000, 120_000])],
    comment: () => [room(), 1 + random.below(2), ...(random.chance(0.3) ? [anyone()] : [])],
    uncomment: () => [room(), part()],
    burst: () => [room()],
    state: () => [room(), random.chance(0.5) ? 100_000 : 100],
    rest: () => [anyone(), room()],
    // Long enough for everything that is said once more.
    wait: () => [random.chance(0.04) ? 4000 : random.pick([5, 20, 60, 150, 400])],
    // Before the service is told, and after it.
    refollow: () => [slot(), random.pick([0, 0, 20, 150, 400])],
    tokens: () => [anyone(), random.chance(0.6) ? "fail" : "well"],
    away: () => [slot(), random.pick([5, 60, 400])],
    settle: () => [],
    kill: () => [],
  };
  const add = (name) => steps.push([name, ...(make[name] ?? (() => [slot()]))()]);
  steps.push(["open", 0, 0, 0, kind(), "early"], ["open", 1, anyone(), 0, kind(), "early"]);
  if (random.chance(0.4)) steps.push(["follow", 2, anyone(), 0, "fresh"]);
  for (let n = 5 + random.below(16); n > 0; n--) add(random.weighted(STEPS));
  return { people, steps };
}

/** A program as it is kept in known.mjs. */
export function listing({ people, steps }) {
  const lines = [`people: ${JSON.stringify(people)},`, "steps: [", ...steps.map((step) => `  ${JSON.stringify(step)},`), "],"];
  return lines.join("\n");
}
