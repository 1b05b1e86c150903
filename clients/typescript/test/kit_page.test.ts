import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

import ts from "typescript";

const root = new URL("..", import.meta.url).pathname;
/** Below the package, so that its own name and its peers are found. */
const folder = join(root, "dist-test", "page");

/** The programs of a page: by their first line, or a number. */
function programs(page: string): Map<string, string> {
  const text = readFileSync(join(root, page), "utf8");
  const found = new Map<string, string>();
  for (const [, language = "", code = ""] of text.matchAll(/^```(tsx?)\n([^]*?)^```$/gm)) {
    const name = /^\/\/ (\S+\.\w+)\n/.exec(code)?.[1] ?? `${found.size}.${language}`;
    found.set(name, /^(export|import) /m.test(code) ? code : `export {};\n${code}`);
  }
  return found;
}

/** Files of libraries and of the package are read once for all programs. */
const read = new Map<string, ts.SourceFile | undefined>();

function programOf(files: string[], more: ts.CompilerOptions = {}): ts.Program {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    jsx: ts.JsxEmit.ReactJSX,
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
    noEmit: true,
    skipLibCheck: true,
    ...more,
  };
  const host = ts.createCompilerHost(options);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (name, how, ...rest) => {
    if (!name.endsWith(".d.ts")) return getSourceFile(name, how, ...rest);
    const key = `${name} ${JSON.stringify(how)}`;
    if (!read.has(key)) read.set(key, getSourceFile(name, how, ...rest));
    return read.get(key);
  };
  return ts.createProgram(files, options, host);
}

function problems(files: string[], options: ts.CompilerOptions): string[] {
  const program = programOf(files, options);
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
    return `${file?.fileName.replace(folder, "") ?? ""}:${line} ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
}

test("the programs of KIT.md compile", () => {
  rmSync(folder, { recursive: true, force: true });
  const files = [...programs("KIT.md")].map(([name, code]) => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
    return path;
  });
  assert.equal(files.length, 6);
  assert.deepEqual(
    problems(files, { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }),
    [],
  );
});

test("the programs that the console shows compile", async () => {
  const source = readFileSync(join(root, "../../server/roundtable/console/snippets.js"), "utf8");
  const shown = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as Record<string, unknown>;
  const of = (name: string, at: object): string => (shown[name] as (at: object) => string)(at);
  const files = ["acme", 'a"c{m}e\\ & <b>'].flatMap((id, number) => {
    const at = { url: "http://127.0.0.1:3000", organizationId: id, documentId: id };
    const [page, endpoint] = [join(folder, `console${number}.tsx`), join(folder, `console${number}.js`)];
    mkdirSync(folder, { recursive: true });
    writeFileSync(page, of("page", at));
    writeFileSync(endpoint, of("endpoint", at));
    return [page, endpoint];
  });
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
  assert.deepEqual(problems(files.filter((it) => it.endsWith(".tsx")), strict), []);
  assert.deepEqual(problems(files.filter((it) => it.endsWith(".js")), { allowJs: true, checkJs: true }), []);
});

test("what the kit exports is documented", () => {
  const parts = [
    "store/index",
    "react/index",
    "react/suspense",
    "react/editor",
    "ui/index",
    "ui/primitives",
    "blocknote/index",
    "tiptap/index",
    "codemirror/index",
    "server/index",
  ];
  const program = programOf(parts.map((part) => join(root, "dist", `${part}.d.ts`)));
  const checker = program.getTypeChecker();
  const isDocumented = (symbol: ts.Symbol): boolean => symbol.getDocumentationComment(checker).length > 0;
  const missing = parts.flatMap((part) => {
    const source = program.getSourceFile(join(root, "dist", `${part}.d.ts`));
    const module = source && checker.getSymbolAtLocation(source);
    assert.ok(module, part);
    return checker.getExportsOfModule(module).flatMap((exported) => {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      return isDocumented(symbol) ? [] : [`${part}: ${symbol.name}`];
    });
  });
  assert.deepEqual(missing, []);
});
