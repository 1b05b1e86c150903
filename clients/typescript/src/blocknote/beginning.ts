import { createExtension } from "@blocknote/core";
import * as Y from "yjs";

import type { SharedEditor } from "../editors/shared.js";

/**
 * Gives an empty document its first block when somebody goes there to write: one that is the same
 * wherever it is made. BlockNote shows one root of a document: without it, two who begin apart, one of them
 * without a network, would have two, and one of their texts would be hidden. To look at a document writes nothing.
 */
export function beginning(shared: SharedEditor, fragment: Y.XmlFragment, mayWrite: () => boolean) {
  return createExtension({
    key: "roundtableBeginning",
    mount: ({ dom, signal }) => {
      const begin = (): void => {
        const { isLoaded, access } = shared.state.get();
        if (isLoaded && access === "read-write" && mayWrite() && fragment.length === 0)
          Y.applyUpdate(shared.document, firstBlock(), beginning);
      };
      dom.addEventListener("focus", begin, { signal });
    },
  });
}

/** Never another one: what has the same ids in Yjs has to be the same. */
function firstBlock(): Uint8Array {
  const document = new Y.Doc();
  document.clientID = 1;
  const block = new Y.XmlElement("blockContainer");
  block.setAttribute("id", "initialBlockId");
  block.insert(0, [new Y.XmlElement("paragraph")]);
  const group = new Y.XmlElement("blockGroup");
  group.insert(0, [block]);
  document.getXmlFragment(FRAGMENT).insert(0, [group]);
  return Y.encodeStateAsUpdate(document);
}

/** The shared type that BlockNote edits. */
export const FRAGMENT = "document-store";
