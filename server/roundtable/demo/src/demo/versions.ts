import { useCallback, useEffect, useState } from "react";
import type { EditorVersion } from "roundtable";
import { useRoundtable } from "roundtable/react";
import type * as Y from "yjs";

import type { Session } from "./session.js";

/** How long nobody writes before the list is read again. */
const PAUSE_MS = 1_500;

/** The versions of the document, and what is done with them. */
export interface Versions {
  /** The newest first; nothing before they are read. */
  all: EditorVersion[] | undefined;
  error: string;
  /** Names what is there now; whether that is done. */
  add: (name: string) => Promise<boolean>;
  /** The same of what was there. */
  restore: (version: EditorVersion) => Promise<boolean>;
}

/** The time whose changes a version shows: those since the one before, for one that somebody added. */
export function spanOf(all: EditorVersion[], { kind, from, to }: EditorVersion): { from?: number | undefined; to: number } {
  if (kind !== "added") return { from, to };
  const before = all.find((it) => it.kind === "added" && it.to < to);
  return { from: before && before.to + 1, to };
}

/** Versions of the document while they are shown: read again when somebody wrote. */
export function useVersions({ organizationId, documentId, editorId }: Session, document: Y.Doc, isShown: boolean): Versions {
  const { editors } = useRoundtable().api;
  const [all, setAll] = useState<EditorVersion[]>();
  const [error, setError] = useState("");
  const tried = useCallback(async (step: () => Promise<unknown>) => {
    try {
      await step();
      setAll((await editors.versionsList({ organizationId, documentId, editorId })).data);
      setError("");
      return true;
    } catch (failure) {
      setError((failure as Error).message);
      return false;
    }
  }, [editors, organizationId, documentId, editorId]);
  useEffect(() => {
    if (!isShown) return;
    const read = () => void tried(async () => {});
    let timer = setTimeout(read, 0);
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(read, PAUSE_MS);
    };
    document.on("update", later);
    return () => {
      clearTimeout(timer);
      document.off("update", later);
    };
  }, [tried, document, isShown]);
  return {
    all,
    error,
    add: (name) => tried(() => editors.versionsAdd({ organizationId, documentId, editorId, name })),
    restore: ({ versionId }) => tried(() => editors.versionsRestore({ organizationId, documentId, editorId, versionId })),
  };
}
