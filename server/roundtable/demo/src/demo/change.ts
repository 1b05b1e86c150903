import { Mark } from "@tiptap/core";

import type { Person } from "./session.js";

/** Such as a server, which wrote the first text. */
const NOBODY = { name: "Somebody", color: "transparent" };

/** Who has changed something. */
export const personOf = (people: Person[], userId: string | null): { name: string; color: string } =>
  people.find((it) => it.userId === userId) ?? NOBODY;

/** Text that was written or deleted, in the color of its author. The plugin of Yjs sets this mark. */
export const Change = Mark.create<{ people: Person[] }>({
  name: "ychange",

  addOptions: () => ({ people: [] }),

  addAttributes: () => ({ user: { default: null }, type: { default: null }, color: { default: null } }),

  renderHTML({ mark: { attrs } }) {
    const { name, color } = personOf(this.options.people, attrs.user);
    const [tag, what] = attrs.type === "removed" ? ["del", "deleted"] : ["ins", "wrote"];
    return [tag, { style: `--who: ${color}`, title: `${name} ${what} this` }, 0];
  },
});
