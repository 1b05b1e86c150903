// What a document of Yjs has, and whether another has all of it.
import * as Y from "yjs";

/** What a document has at this moment. */
export const snapshotOf = (document) => Y.snapshot(document);

/** What `whole` lacks of `part`: a sentence, or nothing. */
export function lacks(whole, part) {
  for (const [client, clock] of part.sv) {
    const known = whole.sv.get(client) ?? 0;
    if (known < clock) return `${clock - known} of client ${client}`;
  }
  for (const [client, ranges] of part.ds.clients) {
    const known = merged(whole.ds.clients.get(client) ?? []);
    for (const { clock, len } of ranges) {
      if (!known.some((it) => it.clock <= clock && clock + len <= it.clock + it.len)) return `deletions of client ${client}`;
    }
  }
  return undefined;
}

function merged(ranges) {
  const whole = [];
  for (const { clock, len } of [...ranges].sort((a, b) => a.clock - b.clock)) {
    const last = whole.at(-1);
    if (last && clock <= last.clock + last.len) last.len = Math.max(last.len, clock + len - last.clock);
    else whole.push({ clock, len });
  }
  return whole;
}

/** A document that has nothing. */
export const nothing = () => snapshotOf(new Y.Doc());
