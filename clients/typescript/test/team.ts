import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { Roundtable } from "roundtable";
import type { WebSocketClass } from "roundtable/live";
import { RoundtableStore, type StoreOptions } from "roundtable/store";
import { WebSocket } from "ws";

import { BASE } from "./support.js";

export const organizationId = "acme";
export const documentId = "plan";

/** The WebSocket of Node.js before version 22. */
export const Socket = WebSocket as unknown as WebSocketClass;

/** A service of its own, which can be killed and comes back on its data. */
export class Service {
  readonly #data = mkdtempSync(join(tmpdir(), "roundtable-kit-"));
  #process: ChildProcess | undefined;

  private constructor(readonly port: number) {}

  get base(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get adminToken(): string {
    return readFileSync(join(this.#data, "admin-token"), "utf8").trim();
  }

  static async start(test: TestContext): Promise<Service> {
    const service = new Service(await freePort());
    test.after(async () => {
      await service.kill();
      rmSync(service.#data, { recursive: true, force: true });
    });
    await service.again();
    return service;
  }

  /** Starts the process, on the data of the one before. */
  async again(): Promise<void> {
    const command = ["--port", String(this.port), "--data-dir", this.#data, "--log-level", "ERROR"];
    const { ADMIN_TOKEN: _, ...env } = process.env;
    this.#process = spawn(env["ROUNDTABLE"] ?? "", command, { stdio: "ignore", env });
    await eventually("the service is there", () =>
      fetch(`${this.base}/openapi.json`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  }

  /** Ends the process without a warning. */
  async kill(): Promise<void> {
    if (!this.#process || this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.kill("SIGKILL");
    await once(this.#process, "exit");
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

/** A key with an organization, a document and its members Ada and Bob; stores of users. */
export class Team {
  readonly #leaves: (() => void)[] = [];

  private constructor(
    readonly base: string,
    readonly admin: Roundtable,
    /** What a server of the application is configured with. */
    readonly key: { baseUrl: string; apiKey: string; authToken: string },
  ) {}

  static async make(test: TestContext, base = BASE, adminToken = process.env["ADMIN_TOKEN"] ?? ""): Promise<Team> {
    const operator = new Roundtable(base, { adminToken });
    const { data } = await operator.operator.workspaceCreate({ ownerEmail: "owner@example.com" });
    const apiKey = Object.keys(data.apiKeyList)[0] ?? "";
    const { workspace } = operator.as({ workspaceId: data.id, workspaceAuthToken: data.authToken });
    const tokens = await workspace.authTokensGet({ apiKey });
    const key = { apiKey, authToken: tokens.data.authTokens[0]?.token ?? "" };
    const client = new Roundtable(base, key, { backoffMs: 1 });
    await client.organizations.add({ organizations: [{ organizationId, organizationName: "Acme" }] });
    await client.documents.add({ organizationId, documents: [{ documentId, documentName: "Plan" }] });
    const users = ["ada", "bob"].map((userId) => ({
      userId,
      name: NAMES[userId] ?? userId,
      email: `${userId}@example.com`,
    }));
    await client.users.add({ organizationId, users });
    await client.configuration.notificationsUpdate({ useNotificationService: true });
    const team = new Team(base, client, { baseUrl: base, ...key });
    test.after(() => team.leave());
    return team;
  }

  /** Lets the service mark what commenters comment. */
  async allowAnchors(anchorMark: string): Promise<void> {
    await this.admin.workspace.apiKeyConfigUpdate({ anchorMark });
  }

  async token(userId: string, accessRole: "viewer" | "commenter" | "editor" = "editor"): Promise<string> {
    const resources = [{ type: "organization", id: organizationId, accessRole } as const];
    const userProperties = { name: NAMES[userId] ?? userId, email: `${userId}@example.com` };
    const { data } = await this.admin.users.generateToken({ userId, userProperties, permissions: { resources } });
    return data.token;
  }

  options(userId: string, options: Partial<StoreOptions> = {}): StoreOptions {
    return {
      baseUrl: this.base,
      organizationId,
      userId,
      getToken: () => this.token(userId, options.role),
      resolveUsers: (ids) => ids.map((id) => ({ id, name: NAMES[id] ?? id })),
      WebSocket: Socket,
      storage: null,
      ...options,
    };
  }

  store(userId: string, options: Partial<StoreOptions> = {}): RoundtableStore {
    return new RoundtableStore(this.options(userId, options));
  }

  /** The room of a store, used until the test ends. */
  async room(userId: string, options: Partial<StoreOptions> = {}) {
    const store = this.store(userId, options);
    const room = store.room(documentId);
    this.#leaves.push(room.enter());
    await room.ready();
    return { store, room };
  }

  leave(): void {
    for (const leave of this.#leaves.splice(0)) leave();
  }
}

const NAMES: Record<string, string> = { ada: "Ada", bob: "Bob", cy: "Cy" };

/** Waits until something is so, for at most 20 seconds. */
export async function eventually(what: string, ask: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 20_000; Date.now() < end; ) {
    if (await ask()) return;
    await sleep(10);
  }
  throw new Error(`It never was that ${what}.`);
}

/** A store that sends nothing. */
export const silent = (): RoundtableStore =>
  new RoundtableStore({
    baseUrl: "http://127.0.0.1:1",
    organizationId: "acme",
    userId: "ada",
    getToken: () => "",
    storage: null,
  });
