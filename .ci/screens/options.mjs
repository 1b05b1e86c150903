// What the command line says.

/** The options of a run. */
export const OPTIONS = {
  programs: 500,
  seed: 1,
  seconds: Infinity,
  parallel: 12,
  faults: Infinity,
  shrinks: true,
  known: true,
  /** A part of the names of mutants, when they are run. */
  mutants: undefined,
};

const words = process.argv.slice(2);
while (words.length > 0) {
  const word = words.shift();
  const name = word.replace(/^--/, "");
  if (name === "whole") OPTIONS.shrinks = false;
  else if (name === "only-seeds") OPTIONS.known = false;
  else if (name === "mutants") OPTIONS.mutants = words.length === 0 || words[0].startsWith("--") ? "" : words.shift();
  else if (typeof OPTIONS[name] === "number") OPTIONS[name] = Number(words.shift());
  else throw new Error(`${word} is no option.`);
}
