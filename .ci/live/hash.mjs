import { createHash } from "node:crypto";
import * as Y from "yjs";

/** What `stateHash` of the service is of the same document. */
export function stateHash(document) {
  const clocks = [...Y.decodeStateVector(Y.encodeStateVector(document))].sort(([a], [b]) => a - b);
  const deleted = [...Y.decodeUpdate(Y.encodeStateAsUpdate(document)).ds.clients].sort(([a], [b]) => a - b);
  const ranges = deleted.flatMap(([client, own]) => {
    const whole = [];
    for (const { clock, len } of [...own].sort((a, b) => a.clock - b.clock)) {
      const last = whole.at(-1);
      if (last && last.clock + last.len === clock) last.len += len;
      else whole.push({ clock, len });
    }
    return whole.map(({ clock, len }) => `${client}:${clock}+${len}`);
  });
  const text = `${clocks.map(([client, clock]) => `${client}:${clock}`).join(",")}|${ranges.join(",")}`;
  return createHash("sha256").update(text).digest("hex");
}
