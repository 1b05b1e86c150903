import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { relative } from "node:path";

import { make } from "./make.js";
import { USAGE, UsageError, optionsOf } from "./options.js";

/** Makes an app; returns the status of the process. */
export async function main(args, environment = process.env) {
  try {
    const options = optionsOf(args, environment);
    if (options.isHelp) console.log(USAGE);
    else if (options.isVersion) console.log(version());
    else return create(options);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError) && error?.code === undefined) throw error;
    console.error(`create-roundtable: ${error.message}`);
    return 1;
  }
}

function create(options) {
  const { folder, template, isInstalled } = options;
  const { scripts } = make(options);
  const there = relative(process.cwd(), folder);
  const go = there === "" ? [] : [`cd ${there}`];
  console.log(`${template} is in ${folder}.`);
  const steps = [["install"], ...(scripts.python ? [["run", "python"]] : [])];
  if (isInstalled) {
    for (const step of steps) {
      console.log(`npm ${step.join(" ")} …`);
      if (run(folder, step)) continue;
      const rest = [...go, `npm ${step.join(" ")}`, "npm run dev"].join(" && ");
      console.error(`create-roundtable: npm ${step.join(" ")} failed. The files are there; go on with\n  ${rest}`);
      return 1;
    }
  } else go.push(...steps.map((it) => `npm ${it.join(" ")}`));
  console.log(`\n  ${[...go, "npm run dev"].join(" && ")}\n\nThen open the page twice: as Ada and as Bob.`);
  return 0;
}

function run(folder, args) {
  const quiet = args[0] === "install" ? ["--no-audit", "--no-fund"] : [];
  const { status } = spawnSync("npm", [...args, ...quiet], {
    cwd: folder,
    stdio: "inherit",
    shell: process.platform === "win32",
    // Of the npm that runs this program: of them, `npm install` would take its options.
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(?!config_(cache|registry|userconfig)$)/i.test(name))),
  });
  return status === 0;
}

function version() {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
}
