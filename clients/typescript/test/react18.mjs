// Replaces React by its version 18: node --import ./test/react18.mjs --test dist-test/react.test.js
import Module, { register } from "node:module";

const replaced = (name) => name.replace(/^(react|react-dom)(?=\/|$)/, "$1-18");

// What is imported, and what CommonJS requires.
register(
  `data:text/javascript,${encodeURIComponent(`
  const replaced = ${replaced};
  export const resolve = (name, context, next) => next(replaced(name), context);`)}`,
);
const resolve = Module._resolveFilename;
Module._resolveFilename = (name, ...rest) => resolve(replaced(name), ...rest);
