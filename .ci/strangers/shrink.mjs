// Makes a program that shows a fault short.

/** Runs that make a program shorter. */
const RUNS = 24;
/** How often a fault has to be seen again before it counts: a machine with other work is slow at times. */
const CONFIRMATIONS = 2;
/** How much longer a program is looked at then. */
const THOROUGH = 2;

/** The first of these faults that is seen each time, and so is one of the service. */
export async function confirm(stages, name, program, found) {
  let left = found;
  for (let n = 0; n < CONFIRMATIONS; n++) {
    const others = await stages.run(program, THOROUGH);
    left = left.flatMap((fault) => again(others, fault) ?? []);
    if (left.length === 0) return void console.log(`${name}: not seen each time: ${found.map(({ kind, text }) => `${kind}: ${text}`).join("; ")}`);
  }
  return left[0];
}

/** A fault as it is seen again: of calls that were slow, those that are slow each time. */
function again(faults, fault) {
  const seen = faults.find(({ kind }) => kind === fault.kind);
  if (!seen || !fault.of) return seen && fault;
  const of = fault.of.filter((it) => seen.of.includes(it));
  return of.length > 0 ? { ...fault, of } : undefined;
}

/** The smallest program found that shows a fault of this kind. */
export async function shrink(stages, program, found) {
  let best = program;
  let left = RUNS;
  const accept = async (acts) => {
    if (left <= 0) return false;
    left--;
    const smaller = { ...best, acts };
    for (let n = 0; n < CONFIRMATIONS; n++) if (!again(await stages.run(smaller, THOROUGH), found)) return false;
    best = smaller;
    return true;
  };
  for (let n = 0; n < best.acts.length; ) {
    const { acts } = best;
    if (acts.length === 1 || !(await accept(acts.filter((_, m) => m !== n)))) n++;
  }
  for (const [n, act] of best.acts.entries()) {
    for (const [name, value] of Object.entries(act)) {
      if (typeof value !== "number") continue;
      for (let smaller = value; smaller > 1; ) {
        smaller = Math.floor(smaller / 2);
        const { acts } = best;
        if (!(await accept(acts.map((it, m) => (m === n ? { ...it, [name]: smaller } : it))))) break;
      }
    }
  }
  return best;
}
