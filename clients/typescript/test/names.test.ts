import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { Roundtable } from "roundtable";

import { Names } from "../dist/store/names.js";
import { People } from "../dist/store/people.js";
import { settled } from "./fake.js";
import { silent } from "./team.js";

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.method(console, "warn", () => {});
});
afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

test("what could not be asked for is asked for again without anybody's doing, later each time, and not for ever", async () => {
  let isAway = true;
  const asked: string[][] = [];
  const names = new Names(async (ids) => {
    asked.push(ids);
    if (isAway) throw new Error("away");
    return ids.map((id) => ({ id, name: id.toUpperCase() }));
  });
  void names.want(["ada"]);
  await settled();
  mock.timers.tick(10_000);
  await settled();
  assert.equal(asked.length, 2);
  isAway = false;
  mock.timers.tick(10_000);
  await settled();
  assert.equal(asked.length, 2);
  mock.timers.tick(10_000);
  await settled();
  assert.equal(names.state.get().get("ada")?.name, "ADA");

  isAway = true;
  void names.want(["bob"]);
  for (let hours = 0; hours < 100; hours++) {
    await settled();
    mock.timers.tick(3_600_000);
  }
  const tries = asked.filter(([id]) => id === "bob").length;
  assert.equal(tries, 5);
  isAway = false;
  void names.want(["bob"]);
  await settled();
  assert.equal(names.state.get().get("bob")?.name, "BOB");
});

test("people are looked for in documents that are looked at, a part of the ids in each call", async () => {
  const calls: Record<string, unknown>[] = [];
  const fetch = async (_: unknown, init?: RequestInit): Promise<Response> => {
    const { data } = JSON.parse(String(init?.body)) as { data: Record<string, unknown> };
    calls.push(data);
    if (data["documentId"] === undefined) {
      const error = { status: "PERMISSION_DENIED", message: "A guest." };
      return Response.json({ error }, { status: 403 });
    }
    const found = data["userIds"] as string[];
    return Response.json({ result: { data: found.map((userId) => ({ userId, name: userId.toUpperCase() })) } });
  };
  const api = new Roundtable("http://localhost", { userToken: "token" }, { fetch: fetch as typeof globalThis.fetch });
  const documents = ["plan"];
  const people = new People({ api, organizationId: "acme", userId: "ada", documents: () => documents });
  const ids = Array.from({ length: 35 }, (_, number) => `u${number}`);
  const found = await people.users(ids);
  assert.deepEqual([found.length, found[34]], [35, { id: "u34", name: "U34" }]);
  assert.deepEqual(
    calls.map((it) => [it["documentId"], (it["userIds"] as string[]).length]),
    [[undefined, 30], [undefined, 5], ["plan", 30], ["plan", 5]],
  );
});

test("a document that was opened and left is not asked for people", async () => {
  const asked: unknown[] = [];
  mock.method(globalThis, "fetch", async (_: unknown, init?: RequestInit) => {
    asked.push((JSON.parse(String(init?.body)) as { data: { documentId?: string } }).data.documentId);
    return Response.json({ result: { data: [], nextPageToken: null } });
  });
  const store = silent();
  for (const id of ["one", "two"]) store.room(id);
  assert.deepEqual(await store.mentions("b"), []);
  assert.deepEqual(asked, [undefined]);
});
