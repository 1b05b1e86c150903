#!/usr/bin/env node
// Old versions of Node read this file, too: so it has their syntax alone.
"use strict";

var wanted = [20, 19];
var found = process.versions.node.split(".").map(Number);
if (found[0] < wanted[0] || (found[0] === wanted[0] && found[1] < wanted[1])) {
  console.error("create-roundtable needs Node " + wanted.join(".") + " or later; this is " + process.versions.node + ".");
  process.exit(1);
}
import("./src/main.js").then(function (it) {
  return it.main(process.argv.slice(2));
}).then(function (status) {
  process.exitCode = status;
});
