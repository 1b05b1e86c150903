// The judge of screens: `.ci/try-screens --programs 20000 --seed 1`.
//
// `--programs` says how many programs are run, `--seconds` for how long at most, `--seed` names the first,
// and fewer programs are a fault, unless the machine had too much else to do;
// `--parallel` how many run at once, `--faults` after how many kinds of faults it ends. `--whole` leaves
// programs as they were drawn, `--only-seeds` leaves out the known programs, which run first otherwise.
// `--mutants [NAME]` makes one thing wrong at a time instead, and says how many programs find it; with
// `--only-seeds`, how many random ones.
import { cpus } from "node:os";
import { now } from "./clock.mjs";
import { Host } from "./host.mjs";
import { KNOWN } from "./known.mjs";
import { breakService, judgeMutants, stale } from "./mutants.mjs";
import { OPTIONS } from "./options.mjs";
import { draw, listing } from "./program.mjs";
import { atOnce, run } from "./run.mjs";
import { confirm, shrink } from "./shrink.mjs";

const { programs, seed, seconds, parallel, shrinks, faults, known, mutants } = OPTIONS;
const began = now();
const found = new Map();
let ran = 0;

/** The part of the machine that others may use before it counts as busy. */
const BUSY = 0.2;

/** The processor time that everybody has used, in seconds. */
const used = () => cpus().reduce((sum, { times }) => sum + (times.user + times.nice + times.sys + times.irq) / 1000, 0);

/** Which part of the machine others used than service and clients. */
function othersOf(host, before) {
  const { user, system } = process.cpuUsage();
  const ours = (user + system) / 1e6 + (host.seconds ?? 0);
  return Math.max(0, used() - before - ours) / (((now() - began) / 1000) * cpus().length);
}

/** Prints a fault of a new kind, as short as it can be made. */
async function report(name, program, fault, tenant, host) {
  if (found.has(fault.kind)) return found.get(fault.kind).push(name);
  found.set(fault.kind, [name]);
  console.log(`after ${ran} programs: ${name}: ${fault.kind}: ${fault.text}`);
  const short = shrinks ? await shrink(program, fault, tenant, host) : { program, found: fault };
  console.log(`// ${name}: ${short.found.kind}: ${short.found.text}\n${listing(short.program)}\n`);
}

/** Runs known programs and those of seeds; answers whether nothing was wrong. */
async function judge() {
  if (process.env.BROKEN) breakService(process.env.BROKEN);
  console.warn = () => {}; // y-websocket writes tokens there
  process.setMaxListeners(0); // it listens to the end of the process, too
  const before = used();
  const host = await Host.start();
  for (const end of ["SIGINT", "SIGTERM"]) process.once(end, () => process.exit(1));
  // Nothing that a client throws may reach its page.
  const thrown = (error) => {
    if (!found.has("throws")) console.log(`a client throws: ${error?.stack ?? error}`);
    found.set("throws", [...(found.get("throws") ?? []), String(error)]);
  };
  process.on("uncaughtException", thrown);
  process.on("unhandledRejection", thrown);
  const queue = known ? Object.entries(KNOWN) : [];
  let next = seed;
  const isOver = () => next >= seed + programs || (now() - began) / 1000 >= seconds || found.size >= faults;
  await atOnce(host, parallel, () => {
    const [name, program] = queue.shift() ?? (isOver() ? [] : [`seed ${next}`, draw(next++)]);
    if (program === undefined) return undefined;
    return async (tenant) => {
      const fault = await run(program, tenant, host);
      ran++;
      if (fault && (found.has(fault.kind) || (await confirm(name, program, fault, tenant, host)))) await report(name, program, fault, tenant, host);
    };
  });
  for (const [kind, names] of found) console.log(`${kind}: ${names.length} programs, ${names.slice(0, 8).join(", ")}`);
  const drawn = next - seed;
  const others = othersOf(host, before);
  const isShort = drawn < programs && found.size < faults;
  if (isShort) console.log(`${drawn} of ${programs} programs in ${seconds} s: ${others > BUSY ? "the machine was busy" : "they take too long"} (others used ${Math.round(others * 100)}% of it)`);
  const took = Math.round((now() - began) / 100) / 10;
  console.log(`${ran} programs from seed ${seed}, ${found.size} kinds of faults, ${took} s (service ${host.seconds} s, clients ${Math.round(process.cpuUsage().user / 1e5) / 10} s)`);
  await host.end();
  return found.size === 0 && (!isShort || others > BUSY);
}

// A mutant's own copy of the client lacks what it replaces.
const rotten = process.env.BROKEN === undefined ? stale() : [];
for (const { name, file, text } of rotten) console.log(`the mutant "${name}": ${file} does not have this once: ${text}`);
const isRight = rotten.length === 0 && (await (mutants === undefined ? judge() : judgeMutants(mutants)));
process.exit(isRight ? 0 : 1);
