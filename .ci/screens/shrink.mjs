// Makes a program that shows a fault short.
import { run, undisturbed } from "./run.mjs";

/** Runs that make a program shorter. */
const RUNS = 120;
/** A fault that depends on chance is tried so often. */
const TRIES = 2;
/** How long is waited for what a program does not show any more, as a part of the usual time. */
const PATIENCE = 0.4;

/** Faults that no waiting makes right; others may come from a machine that was busy. */
const CERTAIN = /is shown as saved and not stored|twice|without a right|without a pause|deleted editor and in|closed without/;
/** How often a fault that may be one of the machine is tried again. */
const CONFIRMATIONS = 3;

/** Whether a fault is one of clients or service. */
export async function confirm(name, program, found, tenant, host) {
  if (CERTAIN.test(found.kind)) return true;
  for (let n = 0; n < CONFIRMATIONS; n++) {
    const other = await undisturbed(() => run(program, tenant, host));
    if (other?.kind === found.kind) return true;
  }
  console.log(`${name}: seen once, and not again: ${found.kind}: ${found.text}`);
  return false;
}

/** The shortest program found that shows a fault of the same kind. */
export async function shrink(program, found, tenant, host) {
  let best = { program: { ...program, steps: program.steps.slice(0, found.step + 1) }, found };
  let left = RUNS;
  const accept = async (steps) => {
    for (let n = 0; n < TRIES && left > 0; n++) {
      left--;
      const other = await run({ ...program, steps }, tenant, host, PATIENCE);
      if (other?.kind !== found.kind) continue;
      best = { program: { ...program, steps: steps.slice(0, other.step + 1) }, found: other };
      return true;
    }
    return false;
  };
  for (let length = Math.ceil(best.program.steps.length / 2); length > 0; ) {
    let isShorter = false;
    for (let start = 0; start < best.program.steps.length && left > 0; ) {
      const { steps } = best.program;
      if (await accept([...steps.slice(0, start), ...steps.slice(start + length)])) isShorter = true;
      else start += length;
    }
    if (length > 1 || !isShorter || left <= 0) length = Math.floor(length / 2);
  }
  return best;
}
