#!/usr/bin/env node
// Runs the binary of the package for this platform, and ends as it ends.
"use strict";

const { spawn } = require("node:child_process");

const UNUSABLE = 2;
const packages = Object.keys(require("../package.json").optionalDependencies);
const wanted = `roundtable-server-${process.platform}-${process.arch}`;

function fail(reason) {
  console.error(`roundtable: ${reason}`);
  process.exit(UNUSABLE);
}

function binary() {
  if (!packages.includes(wanted)) {
    const known = packages.map((name) => name.replace("roundtable-server-", "")).join(", ");
    fail(`there is no binary for ${process.platform}-${process.arch}, only for ${known}; use the image, or build it from source`);
  }
  try {
    return require.resolve(`${wanted}/bin/roundtable`);
  } catch {
    fail(`the package ${wanted} is missing; install again, without --omit=optional and without a lock file of another platform`);
  }
}

const child = spawn(binary(), process.argv.slice(2), { stdio: "inherit" });
const forward = (signal) => child.kill(signal);
const signals = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"];
for (const signal of signals) process.on(signal, forward);

// npx hands signals on to a shell, which ends and leaves this process alone.
if (process.env.npm_command) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    forward("SIGTERM");
  }, 500);
}

child.on("error", (error) => fail(error.message));
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  for (const forwarded of signals) process.off(forwarded, forward);
  process.kill(process.pid, signal);
});
