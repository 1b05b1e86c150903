import * as Y from "yjs";

import type { Roundtable } from "../client.js";
import type { CallOptions } from "../call.js";
import type { EditorAddress } from "../live/address.js";
import { fromBase64 } from "../live/base64.js";
import { type UserData, permanentUserData } from "./authors.js";

/** A time in epoch milliseconds, both ends included. */
export interface Span {
  /** The oldest edit that is kept when absent. */
  from?: number | undefined;
  /** Now when absent. */
  to?: number | undefined;
}

/** Changes of a time, as the plugin of y-prosemirror shows them. */
export interface ShownChanges {
  /** The content afterwards, with what was deleted: an update of version 2 on top of `prevSnapshot`. */
  snapshot: Uint8Array;
  /** The content before: an update of version 2. */
  prevSnapshot: Uint8Array;
  /** Who wrote and who deleted what. */
  permanentUserData: UserData;
}

/**
 * Reads who changed what of an editor, as the plugin of y-prosemirror (and that of Tiptap) shows it. The
 * schema needs a mark `ychange` with the attributes `user`, `type` (`added`, `removed`) and `color`.
 *
 * ```ts
 * const changes = await changesBetween(client, editor, { from, to });
 * view.dispatch(view.state.tr.setMeta(ySyncPluginKey, changes));
 * ```
 *
 * @throws RoundtableError
 */
export async function changesBetween(
  client: Pick<Roundtable, "editors">,
  editor: EditorAddress,
  { from, to }: Span = {},
  options?: CallOptions,
): Promise<ShownChanges> {
  const { organizationId, documentId, editorId } = editor;
  const span = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  const { data } = await client.editors.changesGet({ organizationId, documentId, editorId, ...span }, options);
  return {
    snapshot: Y.convertUpdateFormatV1ToV2(fromBase64(data.update)),
    prevSnapshot: Y.convertUpdateFormatV1ToV2(fromBase64(data.before)),
    permanentUserData: permanentUserData(data.attributions),
  };
}
