import type { Names } from "./names.js";

/** Users who are mentioned together. */
export interface Group {
  id: string;
  name: string;
}

/** Groups by id, asked for together and once. */
export type Groups = Names<Group>;
