// The judge of bounds: `.ci/try-strangers --programs 2000 --seed 1`.
//
// `--programs` says how many programs are run at most, `--seconds` for how long, `--seed` names the first,
// `--faults` after how many kinds of faults it ends. `--whole` leaves programs as they were drawn,
// `--only-seeds` leaves out the known programs, which run first otherwise, and `--only-known [NAME]` the
// others; `--hurry` cuts long ones short. `--lifted NAME` takes a bound away, `--mutants [NAME]` one after the other, and each has to be found;
// a debug build is needed for both. `--verbose` prints what each program did, and how long it took.
import { KNOWN } from "./known.mjs";
import { judgeMutants } from "./mutants.mjs";
import { OPTIONS } from "./options.mjs";
import { draw, listing, sent } from "./program.mjs";
import { Stage } from "./run.mjs";
import { confirm, shrink } from "./shrink.mjs";

const { programs, seed, seconds, faults, shrinks, known, seeds, only, mutants, lifted, verbose } = OPTIONS;
const began = Date.now();
const elapsed = () => Math.round((Date.now() - began) / 100) / 10;
const found = new Map();
let [runs, busy] = [0, 0];

/** What is wrong and leaves nothing behind. */
const PASSING = ["slow", "refused"];

/** A server after the other: one that only was slow goes on. */
const stages = {
  async run(program, thorough) {
    this.stage ??= await Stage.make(lifted);
    const faults = await this.stage.run(program, thorough);
    const { said } = this.stage;
    runs++;
    if (said?.isBusy) busy++;
    if (verbose) console.log(`  ${elapsed()} s ${JSON.stringify(said)} ${faults.map(({ kind, text }) => `${kind}: ${text}`).join("; ")}`);
    if (!faults.every(({ kind }) => PASSING.includes(kind))) await this.end();
    return faults;
  },
  async end() {
    await this.stage?.end();
    this.stage = undefined;
  },
};

/** What was done tells faults apart: where one is slow, others are. */
const of = (kind, { acts }) => [kind, ...new Set(acts.map(({ act }) => act))].join(" ");

async function judge() {
  for (const end of ["SIGINT", "SIGTERM"]) process.once(end, () => process.exit(1));
  const queue = known ? Object.entries(KNOWN).filter(([name]) => name.includes(only)) : [];
  // A debug build takes ten seconds for some hundred megabytes, in which it runs seven other programs.
  if (OPTIONS.hurries) queue.sort(([, one], [, other]) => sent(one) - sent(other));
  let [ran, next] = [0, seed];
  const isOver = () => !seeds || next >= seed + programs - (known ? Object.keys(KNOWN).length : 0);
  while (found.size < faults && elapsed() < seconds) {
    const [name, program] = queue.shift() ?? (isOver() ? [] : [`seed ${next}`, draw(next++)]);
    if (program === undefined) break;
    if (verbose) console.log(`${name}\n${listing(program)}`);
    const faults = (await stages.run(program)).filter(({ kind }) => !found.has(of(kind, program)));
    ran++;
    const fault = faults.length > 0 && (await confirm(stages, name, program, faults));
    if (!fault) continue;
    found.set(of(fault.kind, program), name);
    console.log(`after ${ran} programs: ${name}: ${fault.kind}: ${fault.text}`);
    console.log(`${listing(shrinks ? await shrink(stages, program, fault) : program)}\n`);
  }
  await stages.end();
  console.log(`${ran} programs from seed ${seed}, ${found.size} kinds of faults, ${elapsed()} s${busy > 0 ? `; ${busy} runs on a machine too busy to judge less than a standstill` : ""}`);
  const isShort = ran < (seeds ? programs : 1) && elapsed() < seconds && found.size < faults;
  if (isShort) console.log(`only ${ran} programs of ${programs} were run`);
  const isBlind = runs > 0 && busy === runs;
  if (isBlind) console.log("the machine was too busy in all of them: waits were judged as standstills alone");
  // Who hurries says so, and goes on.
  return found.size === 0 && !isShort && (!isBlind || OPTIONS.hurries);
}

process.exit((await (mutants === undefined ? judge() : judgeMutants(mutants))) ? 0 : 1);
