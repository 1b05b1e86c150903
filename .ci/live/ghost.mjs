// A client in a process of its own, which can die.
import { peer } from "./peers.mjs";

const [, , kind, editor, token] = process.argv;
const { awareness } = peer(kind, JSON.parse(editor), token);
awareness.setLocalStateField("user", { name: "ghost" });
