import type { CommentBody } from "@blocknote/core/comments";

/** A block of BlockNote, as far as its text is concerned. */
interface Block {
  content?: Inline[] | string | { rows?: { cells: (Inline[] | { content: Inline[] })[] }[] };
  children?: Block[];
}

/** Text, a link around text, or other inline content. */
interface Inline {
  type?: string;
  text?: string;
  content?: Inline[] | string;
  props?: Record<string, unknown>;
}

/** The text of a comment. A mention, inline content of the type `mention`, is `{{userId}}` in it. */
export function textOf(body: CommentBody): string {
  return (body as Block[])
    .map((block) => {
      const children = block.children?.length ? `\n${textOf(block.children)}` : "";
      return contentOf(block.content) + children;
    })
    .join("\n")
    .trimEnd();
}

/** A body for a comment that was not written in BlockNote. */
export function bodyOf(text: string, nameOf: (userId: string) => string): CommentBody {
  return text.split("\n").map((line) => {
    const words = line.replace(/\{\{([^{}]+)\}\}/g, (_, userId: string) => `@${nameOf(userId)}`);
    return { type: "paragraph", content: words === "" ? [] : [{ type: "text", text: words, styles: {} }] };
  });
}

function contentOf(content: Block["content"]): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(inlineOf).join("");
  const rows = content?.rows ?? [];
  const cell = (it: Inline[] | { content: Inline[] }): string => contentOf(Array.isArray(it) ? it : it.content);
  return rows.map(({ cells }) => cells.map(cell).join("\t")).join("\n");
}

function inlineOf({ type, text, content, props }: Inline): string {
  if (type === "mention") {
    const userId = props?.["userId"] ?? props?.["id"] ?? props?.["user"];
    return typeof userId === "string" ? `{{${userId}}}` : "";
  }
  return text ?? contentOf(content);
}
