import * as Y from "yjs";

/** What is deleted, by client: ranges of clocks. */
export type Deletions = Map<number, { clock: number; len: number }[]>;

/** What an update says is deleted. */
export function deletionsIn(update: Uint8Array): Deletions {
  return Y.decodeUpdate(update).ds.clients;
}

/**
 * What the service lacks of a document, nothing when it has everything. An update always carries
 * all that was ever deleted, so it is looked at before it is sent.
 */
export function novelty(doc: Y.Doc, stateVector: Uint8Array, deletions: Deletions): Uint8Array | undefined {
  const update = Y.encodeStateAsUpdate(doc, stateVector);
  const { structs, ds } = Y.decodeUpdate(update);
  const isNew = structs.length > 0 || [...ds.clients].some(([client, ranges]) => {
    const known = merged(deletions.get(client) ?? []);
    return ranges.some(({ clock, len }) => !known.some((it) => it.clock <= clock && clock + len <= it.clock + it.len));
  });
  return isNew ? update : undefined;
}

function merged(ranges: { clock: number; len: number }[]): { clock: number; len: number }[] {
  const whole: { clock: number; len: number }[] = [];
  for (const { clock, len } of [...ranges].sort((a, b) => a.clock - b.clock)) {
    const last = whole.at(-1);
    if (last && clock <= last.clock + last.len) last.len = Math.max(last.len, clock + len - last.clock);
    else whole.push({ clock, len });
  }
  return whole;
}
