// Prints what each part of the package adds to a page, minified and compressed, without React, Yjs and the
// editor. Fails above the budgets: node sizes.mjs, after a build.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const KB = 1024;
const external = [
  "react",
  "react-dom",
  "react/jsx-runtime",
  "yjs",
  "y-protocols/*",
  "y-prosemirror",
  "@blocknote/*",
  "@tiptap/*",
  "@codemirror/*",
];

/** Names of modules of the package, and the most KB that a page with all of them may have. */
const PARTS = [
  [["index"], 6],
  [["live/index", "live/provider"], 13],
  [["history/index"], 2],
  [["store/index"], 21],
  [["store/index", "react/index"], 24],
  [["store/index", "react/index", "react/suspense"], 24],
  [["store/index", "react/index", "ui/index"], 40],
  [["store/index", "react/index", "react/editor", "blocknote/index"], 32],
  [["store/index", "react/index", "react/editor", "tiptap/index"], 32],
  [["store/index", "react/index", "react/editor", "codemirror/index"], 32],
  [
    [
      "index",
      "live/index",
      "live/provider",
      "store/index",
      "react/index",
      "react/suspense",
      "react/editor",
      "ui/index",
      "ui/primitives",
      "blocknote/index",
      "tiptap/index",
      "codemirror/index",
    ],
    45,
  ],
];

/** The most KB of the stylesheet. */
const MOST_STYLES = 5;

const size = async (names) => {
  const contents = names.map((name, number) => `export * as part${number} from "./dist/${name}.js";`).join("\n");
  const stdin = { contents, resolveDir: import.meta.dirname ?? new URL(".", import.meta.url).pathname };
  const { outputFiles } = await build({
    stdin,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    external,
    write: false,
  });
  return gzipSync(outputFiles[0].contents, { level: 9 }).length / KB;
};

let isOver = false;
for (const [names, most] of PARTS) {
  const found = await size(names);
  isOver ||= found > most;
  const what = names.map((name) => name.replace("/index", "")).join(" + ");
  console.log(`${found.toFixed(1).padStart(5)} KB gz (at most ${most})  ${what}`);
}
const styles = gzipSync(readFileSync(new URL("src/ui/styles.css", import.meta.url)), { level: 9 }).length / KB;
isOver ||= styles > MOST_STYLES;
console.log(`${styles.toFixed(1).padStart(5)} KB gz (at most ${MOST_STYLES})  ui/styles.css`);
process.exit(isOver ? 1 : 0);
