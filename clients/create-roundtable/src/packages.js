import { readdirSync } from "node:fs";
import { join } from "node:path";

import { UsageError } from "./options.js";

/** The package with the binary for this machine. */
const BINARY = `roundtable-server-${process.platform}-${process.arch}`;
/** The packages of Roundtable that apps may have, and how files of them are named. */
const FILES = {
  roundtable: /^roundtable-\d.*\.tgz$/,
  "roundtable-server": /^roundtable-server-\d.*\.tgz$/,
  [BINARY]: new RegExp(`^${BINARY}-\\d.*\\.tgz$`),
  "roundtable-client": /^roundtable_client-\d.*\.whl$/,
};

/** The files of packages in a folder, by the names of the packages. */
export function packagesIn(folder) {
  let names;
  try {
    names = readdirSync(folder);
  } catch (error) {
    throw new UsageError(`The packages in ${folder} cannot be read: ${error.message}`);
  }
  const found = {};
  for (const [name, pattern] of Object.entries(FILES)) {
    const files = names.filter((it) => pattern.test(it));
    if (files.length > 1) throw new UsageError(`${folder} has ${name} more than once: ${files.sort().join(", ")}.`);
    if (files.length === 1) found[name] = join(folder, files[0]);
  }
  if (Object.keys(found).length === 0) throw new UsageError(`${folder} has no package of Roundtable, such as roundtable-0.1.0.tgz.`);
  return found;
}

/** The manifest with those packages from their files. */
export function withPackages(manifest, found) {
  const dependencies = { ...manifest.dependencies };
  // The launcher names its binary as optional, of the registry: beside it, a file takes its place.
  const own = ["roundtable", "roundtable-server", BINARY];
  for (const name of own) if (found[name]) dependencies[name] = `file:${found[name]}`;
  return { ...manifest, dependencies };
}
