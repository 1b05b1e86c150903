// Runs programs: each in an organization of its own, several at once.
import { judgeQuiet, judgeRush, judgeSaved } from "./judge.mjs";
import { Play } from "./play.mjs";
import { Stage } from "./stage.mjs";
import { now, pause } from "./clock.mjs";
import { Tenant } from "./tenant.mjs";

let runs = 0;

/**
 * Runs a program; what is wrong first, if anything is, and the step after which it was seen.
 *
 * @param patience the part of the usual time that it may take until all is right.
 */
export async function run(program, tenant, host, patience = 1) {
  const stage = new Stage(tenant, `o${runs++}`, host);
  const play = new Play(stage);
  const { steps } = program;
  try {
    await stage.set(program.people);
    for (const [step, taken] of steps.entries()) {
      await play.take(taken);
      const found = (await judgeSaved(play)) ?? judgeRush(play);
      if (found) return { ...found, step };
    }
    const found = await judgeQuiet(play, patience);
    return found && { ...found, step: steps.length - 1 };
  } catch (error) {
    return { kind: `breaks: ${String(error.message ?? error).slice(0, 60)}`, text: String(error.stack ?? error), step: steps.length - 1 };
  } finally {
    for (const screen of play.screens) screen.crash();
  }
}

/** A call that takes longer says that the machine has too much to do. */
const BUSY_MS = 120;
/** How many jobs go on even then. */
const LEAST = 2;
let running = 0;
let alone = 0;

/** Runs jobs, so many at once; each on a key of its own, because it has a clock of its own. */
export async function atOnce(host, parallel, next) {
  const work = async () => {
    const tenant = await Tenant.make(host.operator);
    for (;;) {
      while (running >= LEAST && (alone > 0 || (await latency(tenant)) > BUSY_MS)) await pause(100);
      const job = next();
      if (job === undefined) return;
      running++;
      await job(tenant);
      running--;
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
}

/** Does something while no further job begins. */
export async function undisturbed(does) {
  alone++;
  try {
    return await does();
  } finally {
    alone--;
  }
}

async function latency(tenant) {
  const began = now();
  await tenant.call("/v2/crdt/get", { organizationId: "none", documentId: "none" });
  return now() - began;
}
