import type { Node } from "@tiptap/pm/model";

/** The text of a document, with a line break between blocks, and where its characters are. */
export interface DocumentText {
  text: string;
  /** The position of a character. */
  positionAt(offset: number): number;
  /** The character at a position, or the next one. */
  offsetAt(position: number): number;
}

/** Reads the text of a document. */
export function documentText(document: Node): DocumentText {
  const pieces: { offset: number; position: number; length: number }[] = [];
  let text = "";
  document.descendants((node, position) => {
    if (node.isTextblock && text !== "") text += "\n";
    if (!node.isText || node.text === undefined) return;
    pieces.push({ offset: text.length, position, length: node.text.length });
    text += node.text;
  });
  return {
    text,
    positionAt: (offset) => {
      const piece = [...pieces].reverse().find((it) => it.offset <= offset);
      return piece ? piece.position + Math.min(offset - piece.offset, piece.length) : 0;
    },
    offsetAt: (position) => {
      const piece = pieces.find((it) => it.position + it.length >= position);
      return piece ? piece.offset + Math.max(0, position - piece.position) : text.length;
    },
  };
}
