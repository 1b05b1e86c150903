// Sends the sample of every operation in `events/` to a running service and says which fail.
// Variables: `BASE`, `ADMIN_TOKEN`, `ROOT` (of the repository).

import { readFileSync, readdirSync } from "node:fs";
import { type Credentials, Roundtable } from "roundtable";
import { until } from "./support.js";

const { BASE = "", ADMIN_TOKEN: adminToken = "", ROOT = "" } = process.env;
type Method = (data: unknown) => Promise<{ data?: unknown }>;
type Families = Record<string, Record<string, Method>>;

/** A workspace with something of everything, and what samples name in it. */
class World {
  readonly names: Record<string, string> = { adminToken };

  fill(text: string): string {
    return text.replace(/\{\{(\w+)\}\}/g, (all, name: string) => this.names[name] ?? all);
  }

  client(level: "key" | "workspace" | "operator"): Roundtable {
    const { apiKey = "", authToken = "", workspaceId = "", workspaceToken = "" } = this.names;
    const credentials: Record<typeof level, Credentials> = {
      key: { apiKey, authToken },
      workspace: { workspaceId, workspaceAuthToken: workspaceToken },
      operator: { adminToken },
    };
    return new Roundtable(BASE, credentials[level], { warn: fail });
  }

  static async make(): Promise<World> {
    const world = new World();
    const { names } = world;
    const ownerEmail = "owner@example.com";
    const { data: made } = await world.client("operator").operator.workspaceCreate({ ownerEmail });
    Object.assign(names, { workspaceId: made.id, workspaceToken: made.authToken });
    names.apiKey = Object.keys(made.apiKeyList)[0] ?? "";
    const { workspace } = world.client("workspace");
    const tokens = await workspace.authTokensGet({ apiKey: names.apiKey });
    names.authToken = tokens.data.authTokens[0]?.token ?? "";
    const second = await workspace.apiKeyCreate({ ownerEmail, type: "testing" });
    names.secondApiKey = second.data.apiKey;
    const { configuration, webhookEndpoints, userData } = world.client("key");
    await configuration.advancedWebhooksUpdate({ isEnabled: true });
    const filterTypes = ["comment_annotation.add"];
    const endpoint = await webhookEndpoints.create({ url: "https://hooks.invalid", filterTypes });
    names.endpointId = endpoint.data.id;
    const calls = JSON.parse(readFileSync(`${ROOT}/tests/world.json`, "utf8").replace(/\{\{mark.*?\}\}/g, ""));
    for (const { operation, data, keep } of calls) {
      const filled = JSON.parse(world.fill(JSON.stringify(data)));
      const reply = await method(world.client("key"), camel(operation))(filled);
      if (keep) names[keep] = (reply.data as Record<string, string>)[keep] ?? "";
    }
    const job = await userData.delete({ userIds: ["gone"], organizationIds: ["acme"] });
    names.jobId = job.data.jobId;
    return world;
  }

  /** Waits for the webhook message that some samples name. */
  async message(): Promise<void> {
    const { deliveries } = this.client("key");
    const newest = async () => (await deliveries.messagesGet({ limit: 1 })).data.messages[0];
    this.names.messageId = (await until(newest)).id;
  }
}

function camel(name: string): string {
  return name.replace(/[-._](.)/g, (_, letter: string) => letter.toUpperCase());
}

/** `client.comments.annotationsAdd` for `commentsAnnotationsAdd`. */
function method(client: Roundtable, name: string): Method {
  const families = Object.keys(client).filter((family) => name.startsWith(family));
  const family = families.sort((a, b) => b.length - a.length)[0] ?? fail(`${name}: no such family`);
  const rest = name.slice(family.length);
  const object = (client as unknown as Families)[family];
  return object?.[rest.charAt(0).toLowerCase() + rest.slice(1)]?.bind(object) ?? fail(`no ${name}`);
}

function fail(text: string): never {
  throw new Error(text);
}

const ENDS_SOMETHING = /(delete|remove|reset|rotate|disable|advance|limits-update|api-key-update)$/;
let shared: World | undefined;
const sent = new Set<string>();
const failures: string[] = [];
for (const file of readdirSync(`${ROOT}/events`).sort()) {
  if (!file.endsWith(".json")) continue;
  const text = readFileSync(`${ROOT}/events/${file}`, "utf8");
  const { rawPath, headers } = JSON.parse(text);
  if (!rawPath?.startsWith("/v") || file === "gateway-unknown.json") continue;
  const name = file.slice(0, -".json".length);
  const world = ENDS_SOMETHING.test(name) ? await World.make() : (shared ??= await World.make());
  if (text.includes("{{messageId}}")) await world.message();
  const level = ["x-service-admin-token", "x-service-workspace-id"].findIndex((it) => it in headers);
  const client = world.client((["operator", "workspace"] as const)[level] ?? "key");
  const { body } = JSON.parse(world.fill(text));
  sent.add(camel(name));
  try {
    await method(client, camel(name))(JSON.parse(body || "{}").data);
  } catch (error) {
    failures.push(String(error));
  }
}
const families = Object.entries((shared ?? fail("no samples")).client("key"));
for (const [family, methods] of families) {
  for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(methods))) {
    const operation = family + name.charAt(0).toUpperCase() + name.slice(1);
    if (/^constructor$|(Pages|All)$/.test(name) || sent.has(operation)) continue;
    failures.push(`${operation} has no sample`);
  }
}
console.log(`TypeScript: ${sent.size - failures.length} of ${sent.size} samples succeeded`);
for (const failure of failures) console.log(`  ${failure}`);
process.exitCode = failures.length ? 1 : 0;
