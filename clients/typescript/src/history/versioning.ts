import * as Y from "yjs";

import type { Roundtable } from "../client.js";
import type { EditorVersion } from "../generated/types.js";
import type { EditorAddress } from "../live/address.js";
import { fromBase64 } from "../live/base64.js";

/** How long what was just typed may take to be stored, before a version is added without it. */
const STORED_MS = 5_000;
/** How many versions are listed. */
const MOST = 200;

/** A version, as BlockNote lists it. */
export interface Snapshot<Current extends symbol = never> {
  id: string | Current;
  name?: string;
  /** Epoch milliseconds. */
  createdAt: number;
  updatedAt: number;
  /** Who wrote what is new in it, or added it. */
  by?: string[];
}

/** A provider that counts what the service has not stored: `RoundtableProvider`. */
export interface StoringProvider {
  readonly unsynced: number;
  on(name: "unsynced", listener: (changes: number) => void): () => void;
}

/** Options of {@link versioningEndpoints}. */
export interface VersioningOptions<Current extends symbol = never> {
  /** What is typed is stored before a version is added or restored. */
  provider?: StoringProvider;
  /** `CURRENT_VERSION_ID` of BlockNote: the list begins with the present content, which leads back to it. */
  current?: Current;
}

/** `VersioningEndpoints` of BlockNote for Yjs 13. */
export interface VersioningEndpoints<Current extends symbol = never> {
  list: () => Promise<Snapshot<Current>[]>;
  create: (document: unknown, options?: { name?: string | undefined }) => Promise<Snapshot<Current>>;
  getContent: (version: { id: string | symbol }) => Promise<Uint8Array>;
  restore: (document: unknown, version: { id: string | symbol }) => Promise<Uint8Array>;
  rename: (version: { id: string | symbol; name?: string | undefined }, name?: string) => Promise<void>;
}

/**
 * Versions of an editor for the `VersioningExtension` of BlockNote. Those that somebody added may be renamed;
 * edits have no name. The service restores a version, and all peers get the change, so that `applyRestore` of
 * the adapter has nothing to do:
 *
 * ```ts
 * VersioningExtension((blocks) => {
 *   const { preview, ...adapter } = createYjsVersioningAdapter(blocks, collaboration);
 *   return { ...adapter, preview: { ...preview, applyRestore: () => {} }, endpoints };
 * });
 * ```
 */
export function versioningEndpoints<Current extends symbol = never>(
  client: Pick<Roundtable, "editors">,
  { organizationId, documentId, editorId }: EditorAddress,
  { provider, current }: VersioningOptions<Current> = {},
): VersioningEndpoints<Current> {
  const address = { organizationId, documentId, editorId };
  const { editors } = client;
  const getContent = async ({ id }: { id: string | symbol }): Promise<Uint8Array> => {
    const parts: Uint8Array[] = [];
    for (let seen: { stateVector?: string } = {}; ; ) {
      const { data } = await editors.versionsGet({ ...address, versionId: String(id), ...seen });
      parts.push(fromBase64(data.update));
      if (data.isComplete) return Y.mergeUpdates(parts);
      seen = { stateVector: data.stateVector };
    }
  };
  return {
    getContent,
    async list() {
      const found: Snapshot<Current>[] = [];
      for await (const version of editors.versionsListAll(address)) {
        found.push(snapshotOf(version));
        if (found.length === MOST) break;
      }
      if (current === undefined) return found;
      // BlockNote sorts by time, and the clock of the page may be late.
      const now = Math.max(Date.now(), (found[0]?.createdAt ?? 0) + 1);
      return [{ id: current, createdAt: now, updatedAt: now }, ...found];
    },
    async create(_, { name } = {}) {
      await stored(provider);
      const { data } = await editors.versionsAdd({ ...address, ...(name && { name }) });
      return snapshotOf(data);
    },
    async restore(_, version) {
      await stored(provider);
      await editors.versionsRestore({ ...address, versionId: String(version.id) });
      return getContent(version);
    },
    async rename({ id, name: before }, name) {
      // BlockNote says the name whenever its field is left.
      if (!name || name === before) return;
      await editors.versionsUpdate({ ...address, versionId: String(id), name });
    },
  };
}

function snapshotOf({ versionId, name, to, userIds }: EditorVersion): Snapshot {
  return { id: versionId, ...(name && { name }), createdAt: to, updatedAt: to, by: userIds };
}

/** Waits until the service has what was typed. */
function stored(provider: StoringProvider | undefined): Promise<void> {
  if (!provider || provider.unsynced === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(end, STORED_MS);
    const stop = provider.on("unsynced", (changes) => changes === 0 && end());
  });
}
