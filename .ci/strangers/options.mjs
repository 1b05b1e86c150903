// What the command line says.

/** The options of a run. */
export const OPTIONS = {
  programs: 50,
  seed: 1,
  seconds: Infinity,
  faults: Infinity,
  shrinks: true,
  known: true,
  seeds: true,
  /** A part of the names of known programs, when only some are run. */
  only: "",
  /** A part of the names of mutants, when they are run. */
  mutants: undefined,
  /** Bounds that the service does without; only a debug build does. */
  lifted: "",
  verbose: false,
  /** Whether long programs are cut short. */
  hurries: false,
};

const words = process.argv.slice(2);
while (words.length > 0) {
  const word = words.shift();
  const name = word.replace(/^--/, "");
  const value = () => (words.length === 0 || words[0].startsWith("--") ? "" : words.shift());
  if (name === "whole") OPTIONS.shrinks = false;
  else if (name === "only-seeds") OPTIONS.known = false;
  else if (name === "only-known") [OPTIONS.seeds, OPTIONS.only] = [false, value()];
  else if (name === "verbose") OPTIONS.verbose = true;
  else if (name === "hurry") OPTIONS.hurries = true;
  else if (name === "mutants" || name === "lifted") OPTIONS[name] = value();
  else if (typeof OPTIONS[name] === "number") OPTIONS[name] = Number(words.shift());
  else throw new Error(`${word} is no option.`);
}
