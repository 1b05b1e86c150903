// Rules that are tried one after the other, each with peers of its own in a new editor.
import { eventually } from "./service.mjs";

const wanted = process.argv.slice(2);

/**
 * A function that tries a rule, unless the arguments of the program name others: `connect` makes the
 * peers of an editor, which begin when `isJoined` is true of each.
 */
export function rules(tenant, name, connect, isJoined) {
  let number = 0;
  return async (rule, check) => {
    if (wanted.length > 0 && !wanted.some((it) => rule.includes(it))) return;
    const editor = await tenant.editor(`${name} ${number++}`, "Once");
    const began = Date.now();
    const peers = connect(editor);
    await eventually(`${rule}: everybody is synced`, () => peers.every(isJoined));
    await check(editor, peers);
    for (const { end } of peers) end();
    console.log(`${rule} (${Date.now() - began} ms)`);
  };
}

/** Whether all peers have this text. */
export const all = (peers, text) => peers.every((it) => it.text.toString() === text);

/** The names that a peer sees. */
export const names = ({ awareness }) =>
  [...awareness.getStates().values()].map(({ user }) => user?.name).filter(Boolean).sort().join(" ");
