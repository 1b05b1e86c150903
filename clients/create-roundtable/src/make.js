import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { UsageError } from "./options.js";
import { packagesIn, withPackages } from "./packages.js";
import { TEMPLATES } from "./templates.js";

const HERE = dirname(fileURLToPath(import.meta.url));
/** npm leaves these out of packages, or takes them for its own. */
const HIDDEN = ["gitignore", "npmrc"];
/** What may be in a folder already: that of a new repository. */
const HARMLESS = [".git"];

/** Writes the files of an app. */
export function make({ folder, name, template, packages }) {
  refuseTaken(folder);
  const found = packages === undefined ? {} : packagesIn(packages);
  mkdirSync(folder, { recursive: true });
  for (const layer of TEMPLATES[template].layers) cpSync(join(HERE, "../templates", layer), folder, { recursive: true });
  for (const hidden of HIDDEN) {
    const path = join(folder, `_${hidden}`);
    if (existsSync(path)) renameSync(path, join(folder, `.${hidden}`));
  }
  const path = join(folder, "package.json");
  const manifest = withPackages({ name, ...JSON.parse(readFileSync(path, "utf8")) }, found);
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
  const requirements = join(folder, "requirements.txt");
  if (existsSync(requirements) && found["roundtable-client"]) {
    const lines = readFileSync(requirements, "utf8");
    writeFileSync(requirements, lines.replace(/^roundtable-client(\[.*\])?.*$/m, `roundtable-client$1 @ file://${found["roundtable-client"]}`));
  }
  return manifest;
}

function refuseTaken(folder) {
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory()) throw new UsageError(`${folder} is a file. Choose another name.`);
  const there = readdirSync(folder).filter((it) => !HARMLESS.includes(it));
  if (there.length > 0) throw new UsageError(`${folder} is not empty: it has ${there[0]}. Choose another name, or empty it.`);
}
