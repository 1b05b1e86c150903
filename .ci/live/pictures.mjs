// A picture in base64 as one value of an editor.
import { randomBytes } from "node:crypto";

import { stateHash } from "./hash.mjs";
import { eventually } from "./service.mjs";

/** A picture of 3 MB, as a page has it: 4,000,000 characters. */
const picture = () => randomBytes(3_000_000).toString("base64");

/** What each peer sets is stored, reaches the others, and comes back to who joins. */
export async function picturesComeBack(tenant, editor, peers, join) {
  const shown = ({ document }) => document.getMap("pictures").get("first");
  const isStored = async (document) => (await tenant.state(editor)).stateHash === stateHash(document);
  peers[0].document.getMap("pictures").set("first", picture());
  await eventually("it is stored", () => isStored(peers[0].document), 60);
  await eventually("it reaches who is there", () => peers.every((peer) => shown(peer)?.length === 4_000_000), 60);
  for (const [n, { document }] of peers.entries()) {
    const own = picture();
    document.getMap("pictures").set("first", own); // replaces the one before
    await eventually("it is stored", () => isStored(document), 120);
    const late = join(n);
    await eventually("it is there after a reload", () => shown(late) === own, 60);
    late.end();
    await eventually("all have it", () => peers.every((peer) => shown(peer) === own), 60);
  }
}
