import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const PROGRAM = new URL("../create-roundtable.cjs", import.meta.url).pathname;

function place(t) {
  const folder = mkdtempSync(join(tmpdir(), "create-roundtable-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const read = (path) => readFileSync(join(folder, path), "utf8");
  const run = (args, env = {}) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
      cwd: folder,
      encoding: "utf8",
      env: { PATH: process.env.PATH, ...env },
    });
    return { status, stdout, stderr };
  };
  return { folder, read, run };
}

test("each template is a whole app, whose secrets git does not see", (t) => {
  const { folder, read, run } = place(t);
  const names = ["vite-blocknote", "vite-codemirror", "next-tiptap", "fastapi-vite"];
  for (const name of names) {
    const { status, stdout } = run([name, "--template", name, "--no-install"]);
    assert.equal(status, 0);
    assert.match(stdout, new RegExp(`cd ${name} && npm install`));
    const manifest = JSON.parse(read(`${name}/package.json`));
    assert.deepEqual([manifest.name, manifest.private], [name, true]);
    const ranges = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
    assert.ok(ranges.every((it) => /^\d+\.\d+\.\d+$/.test(it)), "a version is pinned");
    assert.match(read(`${name}/.gitignore`), /^\.data$/m);
    assert.ok(!readdirSync(join(folder, name)).some((it) => it.startsWith("_")));
  }
  assert.match(read("vite-blocknote/.npmrc"), /^legacy-peer-deps=true$/m);
  assert.match(read("fastapi-vite/vite.config.ts"), /proxy/);
  assert.match(read("fastapi-vite/src/main.tsx"), /useRoundtableBlockNote/);
});

test("versions of our packages and of what templates share are the same everywhere", () => {
  const here = new URL("..", import.meta.url).pathname;
  const read = (path) => JSON.parse(readFileSync(join(here, path), "utf8"));
  const { version, devDependencies: tested } = read("../typescript/package.json");
  const { version: own } = read("package.json");
  assert.equal(own, version);
  for (const name of ["vite-blocknote", "vite-codemirror", "next-tiptap", "fastapi-vite"]) {
    const { dependencies, devDependencies } = read(`templates/${name}/package.json`);
    assert.deepEqual([dependencies.roundtable, dependencies["roundtable-server"]], [version, version]);
    for (const [dependency, range] of Object.entries({ ...dependencies, ...devDependencies }))
      if (tested[dependency]) assert.equal(range, tested[dependency], `${dependency} of ${name}`);
  }
  const requirements = readFileSync(join(here, "templates/fastapi-vite/requirements.txt"), "utf8");
  assert.match(requirements, new RegExp(`^roundtable-client\\[fastapi\\]==${version}$`, "m"));
});

test("a template is the default, the second word, an option, or what npm kept for itself", (t) => {
  const { read, run } = place(t);
  const isMade = (folder, file) => assert.ok(read(`${folder}/${file}`));
  run(["a", "--no-install"]);
  run(["b", "next-tiptap", "--no-install"]);
  run(["c", "--template=next-tiptap", "--no-install"]);
  run(["d", "--no-install"], { npm_config_template: "next-tiptap" });
  isMade("a", ".npmrc");
  for (const folder of ["b", "c", "d"]) isMade(folder, "app/app.tsx");
});

test("packages come from files where there are any", (t) => {
  const { folder, read, run } = place(t);
  const packages = join(folder, "packages");
  mkdirSync(packages);
  const binary = `roundtable-server-${process.platform}-${process.arch}`;
  const server = ["roundtable-server-0.1.0.tgz", `${binary}-0.1.0.tgz`, "roundtable-server-other-x64-0.1.0.tgz"];
  for (const name of ["roundtable-0.1.0.tgz", ...server, "roundtable_client-0.1.0-py3-none-any.whl", "create-roundtable-0.1.0.tgz"])
    writeFileSync(join(packages, name), "");
  assert.equal(run(["app", "fastapi-vite", "--packages", "packages", "--no-install"]).status, 0);
  const { dependencies } = JSON.parse(read("app/package.json"));
  assert.equal(dependencies.roundtable, `file:${packages}/roundtable-0.1.0.tgz`);
  assert.equal(dependencies["roundtable-server"], `file:${packages}/${server[0]}`);
  assert.equal(dependencies[binary], `file:${packages}/${server[1]}`);
  assert.equal(dependencies["roundtable-server-other-x64"], undefined);
  assert.match(read("app/requirements.txt"), /^roundtable-client\[fastapi\] @ file:\/\/.*\/roundtable_client-0\.1\.0-.*\.whl$/m);
  assert.equal(run(["other", "--no-install"], { ROUNDTABLE_PACKAGES: packages }).status, 0);
  assert.match(read("other/package.json"), /file:/);
  writeFileSync(join(packages, "roundtable-0.2.0.tgz"), "");
  assert.match(run(["again", "--packages", packages]).stderr, /more than once: roundtable-0\.1\.0\.tgz, roundtable-0\.2\.0\.tgz/);
});

test("bad input is named, and nothing is written", (t) => {
  const { folder, run } = place(t);
  mkdirSync(join(folder, "taken"));
  mkdirSync(join(folder, "empty"));
  writeFileSync(join(folder, "taken/notes.txt"), "");
  writeFileSync(join(folder, "file"), "");
  const refusals = [
    [[], /Name a folder/],
    [["taken"], /taken is not empty: it has notes\.txt/],
    [["file"], /file is a file/],
    [["My App"], /My App is no name of a package/],
    [["app", "angular"], /There is no template angular, only vite-blocknote, vite-codemirror/],
    [["app", "toString"], /There is no template toString/],
    [["app", "--template"], /--template needs a value/],
    [["app", "--yes"], /There is no option --yes/],
    [["app", "next-tiptap", "more"], /What is more/],
    [["app", "--packages", "nowhere"], /nowhere cannot be read/],
    [["app", "--packages", "empty"], /empty has no package of Roundtable/],
  ];
  for (const [args, why] of refusals) {
    const { status, stdout, stderr } = run(args);
    assert.deepEqual([status, stdout], [1, ""], args.join(" "));
    assert.match(stderr, why);
    assert.match(stderr, /^create-roundtable: [^\n]*\n$/, "one line");
  }
  assert.deepEqual(readdirSync(folder).sort(), ["empty", "file", "taken"]);
});

test("an older Node is told what is needed", () => {
  const old = `Object.defineProperty(process.versions, "node", { value: "18.20.4" }); require(${JSON.stringify(PROGRAM)})`;
  const { status, stderr } = spawnSync(process.execPath, ["-e", old], { encoding: "utf8" });
  assert.equal(status, 1);
  assert.equal(stderr, "create-roundtable needs Node 20.19 or later; this is 18.20.4.\n");
});

test("what fails to install is named, with the commands that go on", (t) => {
  const { folder, run } = place(t);
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "npm"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  const { status, stderr } = run(["app"], { PATH: bin });
  assert.equal(status, 1);
  assert.match(stderr, /npm install failed\. The files are there; go on with\n {2}cd app && npm install && npm run dev/);
});

test("the tutorial shows what the templates have", () => {
  const here = new URL("..", import.meta.url).pathname;
  const blocks = [...readFileSync(join(here, "README.md"), "utf8").matchAll(/^```\w+\n(?:\/\/|#) (templates\/\S+)\n([^]*?)^```$/gm)];
  assert.ok(blocks.length >= 8);
  for (const [, path, code] of blocks) assert.ok(readFileSync(join(here, path), "utf8").includes(code), path);
});
