import { basename, resolve } from "node:path";

import { DEFAULT, TEMPLATES } from "./templates.js";

/** A mistake of whoever called: its message says what to do. */
export class UsageError extends Error {}

export const USAGE = `Makes an app with a shared editor, cursors, comments, an inbox and presence.

  npm create roundtable@latest FOLDER [TEMPLATE] [-- OPTIONS]

Templates:
${Object.entries(TEMPLATES)
  .map(([name, { about }]) => `  ${name.padEnd(16)} ${about}${name === DEFAULT ? " (default)" : ""}`)
  .join("\n")}

Options:
  --template NAME  the template
  --packages DIR   installs packages of Roundtable from files in this folder; those that it has not come
                   from the registry (ROUNDTABLE_PACKAGES)
  --no-install     writes the files alone
  --help, --version`;

/** What was asked for. */
export function optionsOf(args, environment, folderNow = process.cwd()) {
  const options = { isInstalled: true, packages: environment.ROUNDTABLE_PACKAGES };
  const names = [];
  for (let at = 0; at < args.length; at += 1) {
    const [, name = args[at], inline] = /^(--[a-z]+)=(.*)$/.exec(args[at]) ?? [];
    const value = () => {
      const given = inline ?? args[(at += 1)];
      if (!given || (inline === undefined && given.startsWith("-"))) throw new UsageError(`${name} needs a value.`);
      return given;
    };
    if (name === "--help" || name === "-h") return { isHelp: true };
    if (name === "--version") return { isVersion: true };
    if (name === "--no-install") options.isInstalled = false;
    else if (name === "--template" || name === "-t") options.template = value();
    else if (name === "--packages") options.packages = value();
    else if (name.startsWith("-")) throw new UsageError(`There is no option ${name}. --help lists them.`);
    else names.push(name);
  }
  // npm keeps options for itself that are not behind `--`.
  const given = options.template ?? names[1] ?? environment.npm_config_template;
  if (names.length > 2) throw new UsageError(`What is ${names[2]}? A folder and a template are enough.`);
  if (!names[0]) throw new UsageError("Name a folder for the app: npm create roundtable@latest my-app");
  const template = given ?? DEFAULT;
  if (!Object.hasOwn(TEMPLATES, template))
    throw new UsageError(`There is no template ${template}, only ${Object.keys(TEMPLATES).join(", ")}.`);
  const folder = resolve(folderNow, names[0]);
  const name = basename(folder);
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(name) || name.length > 214)
    throw new UsageError(`${name || "/"} is no name of a package: small letters, digits, -, _ and . are, such as my-app.`);
  const packages = options.packages && resolve(folderNow, options.packages);
  return { folder, name, template, packages, isInstalled: options.isInstalled };
}
