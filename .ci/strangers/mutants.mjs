// Bounds that are taken away one at a time (server/roundtable/src/net/lifted.rs): programs have to find each.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { OPTIONS } from "./options.mjs";

/** Their names. */
const [, LIST] = readFileSync(new URL("../../server/roundtable/src/net/lifted.rs", import.meta.url), "utf8").match(/BOUNDS[^=]*= \[([^\]]*)\]/);
const MUTANTS = [...LIST.matchAll(/"([^"]+)"/g)].map(([, name]) => name);
/** Of ten mutants, so many have to be found: some bounds stand behind others. */
const FOUND = 9 / 10;

/** Runs programs without each bound until one finds it; answers whether enough were found. */
export async function judgeMutants(wanted) {
  const names = MUTANTS.filter((name) => name.includes(wanted));
  let found = 0;
  for (const name of names) {
    const { seed, programs, known, verbose } = OPTIONS;
    const command = [process.argv[1], "--lifted", name, "--seed", seed, "--programs", programs, "--faults", 1, "--whole"];
    command.push(...(known ? [] : ["--only-seeds"]), ...(verbose ? ["--verbose"] : []));
    const child = spawn(process.execPath, command.map(String), { stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    child.stdout.on("data", (data) => (said += data));
    await new Promise((resolve) => child.once("exit", resolve));
    const [, ran, by] = said.match(/^after (\d+) programs: (.*)$/m) ?? [];
    if (by) found++;
    console.log(by ? `${name}: found by program ${ran}: ${by.slice(0, 200)}` : `${name}: survives\n${said.slice(-1_000)}`);
  }
  console.log(`${found} of ${names.length} mutants found`);
  return found >= FOUND * names.length;
}
