// Programs: what is done at once, and for how long. Each act means something whatever was left out beside
// it, so that programs can be made shorter.
import { NETWORKS } from "./addresses.mjs";
import { OPTIONS } from "./options.mjs";
import { Random } from "../screens/random.mjs";

/** How often each act is drawn. */
const ACTS = { shake: 2, hold: 2.5, say: 4, frames: 2.5, bodies: 2, replies: 1, calls: 2.5, appends: 1.2, marks: 0.7, scrapes: 0.8, heads: 1, pages: 0.7, lacks: 0.7, crowd: 0.5, claims: 0.5 };
/** How long a program lasts unless it says so itself, in ms. */
const LASTS = 700;
/** When there is little time for many: the part of it that is taken, and the least of it. */
const HURRY = 0.4;
const SHORTEST = 500;
/** Without a bound, the least time: a standstill is seen on a busy machine as well. */
const LIFTED = 4_000;

const DRAW = {
  shake: (r) => ({ door: r.pick(["nonsense", "y", "hocuspocus", "named", "events"]), credential: whoever(r), users: several(r), network: r.pick(NETWORKS), parallel: r.pick([2, 8, 32]) }),
  hold: (r) => ({ door: r.pick(["y", "hocuspocus", "named", "events"]), credential: whoever(r), users: several(r), network: r.pick(NETWORKS), count: r.pick([20, 100, 400]), says: r.pick(["nothing", "token", "half"]) }),
  say: (r) => ({
    door: r.pick(["y", "hocuspocus", "large"]),
    credential: r.pick(["none", "forged", "revoked", "reader", "reader", "writer", "foreign"]),
    users: several(r),
    network: r.pick(NETWORKS),
    sockets: r.pick([1, 4, 16, 60]),
    times: r.pick([1, 3, 20, 100]),
    kind: r.pick(["vector", "name", "sections", "deletions", "text", "awareness", "stateless", "garbage", "join", "token"]),
    size: r.pick([100, 3_000, 60_000, 60_000, 200_000, 2_000_000, 12_000_000]),
    part: r.pick([1, 1, 1, 0.5, 0.02]),
    speed: r.pick([0, 0, 0, 0, 80_000]),
    late: r.pick([0, 0, 200]),
    isDeaf: r.chance(0.3),
  }),
  frames: (r) => ({
    door: r.pick(["frames", "named", "events", "page"]),
    credential: r.pick(["none", "forged", "revoked", "reader", "writer", "foreign"]),
    users: several(r),
    network: r.pick(NETWORKS),
    sockets: r.pick([1, 8, 40]),
    kind: r.pick(["deletion", "awareness", "stateless", "presence", "join", "parts"]),
    pace: r.pick([1, 5, 50]),
    reads: r.chance(0.6),
  }),
  bodies: (r) => ({
    path: r.pick(["/v2/crdt/updates/add", "/v2/auth/token/get", "/v2/organizations/get", "/v2/none"]),
    credential: r.pick(["none", "wrong", "forged", "revoked", "reader", "writer", "invented", "server", "fellow"]),
    users: several(r),
    network: r.pick(NETWORKS),
    sockets: r.pick([2, 10, 40, 80]),
    size: r.pick([100, 20_000, 1_000_000, 5_000_000]),
    part: r.pick([1, 1, 0.99, 0.5]),
    speed: r.pick([0, 0, 0, 20_000]),
  }),
  replies: (r) => ({ credential: r.pick(["reader", "writer", "invented"]), users: several(r), network: r.pick(NETWORKS), sockets: r.pick([5, 40, 100]), speed: r.pick([0, 0, 20_000]) }),
  calls: (r) => ({
    path: r.pick(["/v2/crdt/state/get", "/v2/crdt/get", "/v2/organizations/get", "/v2/auth/token/get", "/v2/none"]),
    credential: r.pick(["none", "wrong", "forged", "revoked", "reader", "writer", "invented", "foreign", "server"]),
    users: several(r),
    network: r.pick(NETWORKS),
    parallel: r.pick([4, 30, 200]),
    padding: r.pick([0, 0, 10_000]),
  }),
  appends: (r) => ({ credential: r.pick(["writer", "server"]), parallel: r.pick([1, 2, 4]), count: r.pick([1, 4, 8]), size: r.pick([1_000, 100_000, 300_000]), rounds: r.pick([1, 2]) }),
  marks: (r) => ({ credential: r.pick(["writer", "server"]), parallel: r.pick([1, 4, 16]), runs: r.pick([10, 1_000, 4_000]), size: r.pick([1_000, 20_000, 300_000]), isListed: r.chance(0.5) }),
  scrapes: (r) => ({ count: r.pick([10, 60, 300]), kind: r.pick(["nothing", "half", "whole"]) }),
  heads: (r) => ({ kind: r.pick(["half", "huge", "many"]), count: r.pick([50, 300, 800]), network: r.pick(NETWORKS), size: r.pick([1_000, 28_000, 40_000]) }),
  lacks: (r) => ({ credential: r.pick(["writer", "foreign"]), users: several(r), network: r.pick(NETWORKS), sockets: r.pick([4, 16]) }),
  claims: (r) => ({ credential: r.pick(["reader", "foreign", "forged"]), network: r.pick(NETWORKS), sockets: 20 }),
  // More than the small rooms have; a user has at most twenty connections to one.
  crowd: (r) => ({ credential: "foreign", users: 3, network: r.pick(NETWORKS), sockets: 60, pace: r.pick([1_000, 4_000]) }),
  pages: (r) => ({ path: r.pick(["/docs/", "/openapi.json", "/health", "/ready", "/demo", "/console", "/u/x", "/none"]), parallel: r.pick([4, 30]), network: r.pick(NETWORKS) }),
};

const whoever = (r) => r.pick(["none", "none", "forged", "forged", "revoked", "reader", "writer", "foreign"]);
/** How many users of a tenant act together, if nobody else of it is watched. */
const several = (r) => r.pick([1, 2, 3]);
const APART = ["foreign", "revoked"];

/** The program of a seed. */
export function draw(seed) {
  const random = new Random(seed);
  const acts = Array.from({ length: 1 + random.below(3) }, () => {
    const act = random.weighted(ACTS);
    const drawn = DRAW[act](random);
    // Users together take what their own tenant has: only others are judged then.
    return { act, ...drawn, ...(drawn.users && !APART.includes(drawn.credential) && { users: 1 }) };
  });
  return { acts };
}

/** How long a program lasts. Without a bound, what fills a server may take its own time. */
export function lasting(program) {
  const lasts = program.lasts ?? LASTS;
  if (OPTIONS.lifted) return Math.max(LIFTED, program.lifted ?? lasts);
  return OPTIONS.hurries ? Math.max(SHORTEST, lasts * HURRY) : lasts;
}

/** How many bytes a program sends in messages at most. */
export const sent = ({ acts }) => acts.reduce((sum, { sockets = 0, times = 0, size = 0 }) => sum + sockets * times * size, 0);

/** Users who attack: each has parts of its own, and so have servers of tenants. */
const USERS = { reader: "reader", invented: "reader", writer: "writer", foreign: "foreign", revoked: "revoked", server: "server", fellow: "fellow" };
const SERVERS = ["server", "fellow"];
/** Networks that are few enough to leave strangers a part. */
const NARROW = 2;

const userOf = (act) => USERS[act.credential];

/** Whether strangers come from so many networks that they may use up what all of them have. */
export function isWide({ acts }) {
  const strangers = acts.filter((act) => !userOf(act));
  return strangers.length > NARROW || strangers.some(({ network }) => network === "many");
}

/** What a server may take for a while, in MB (docs/THREATS.md): whatever is done, for a connection, for all
 * strangers, and for a user, by what they send: bodies, replies, and messages from and to stock providers in
 * several copies. A list reads all editors of a document, the neighbours' large ones among them. */
const ANY = 50;
const CONNECTION = 0.05;
const KEPT = 8;
/** Besides, each connection to `/live` has what it did not read, and what is worked on. */
const frames = ({ sockets, users = 1 }) => Math.min(32, (16 + 2 * sockets) / users);
const OF_STRANGERS = { bodies: 64 * 2, calls: 64, pages: 32 };
const OF_USER = { bodies: 32 * 2, calls: 16 + 32, replies: 16 + 32, appends: 64, marks: ({ isListed }) => 112 + (isListed ? 64 : 0), frames, crowd: 32, hold: 17, say: ({ size, door }) => (size > 64_000 ? 6 * 17 : 0) + (door === "large" ? 2 * 17 : 0) };

/** Of bodies, a server has its tenant's part. */
const OF_SERVER = { ...OF_USER, bodies: 128 * 2, appends: 128 * 2 };

/** What users still have when their messages were handled: one that has not come whole. */
const HELD_BY_USER = { ...OF_USER, say: ({ part, door }) => (part < 1 ? 17 : 0) + (door === "large" ? 2 * 17 : 0) };

/** How much memory a program may take at a time, and how much of it while it lasts. */
export const megabytes = (program) => ({ most: sum(program, OF_USER), held: sum(program, HELD_BY_USER) });

function sum({ acts }, ofUser) {
  const parts = new Map();
  let all = ANY;
  for (const act of acts) {
    const user = userOf(act);
    const own = SERVERS.includes(user) ? OF_SERVER : ofUser;
    const part = (user ? own : OF_STRANGERS)[act.act] ?? 0;
    const users = user ? (act.users ?? 1) : 1;
    parts.set(`${user} ${act.act}`, users * (typeof part === "function" ? part(act) : part));
    if (user) parts.set(user, Math.max(users * KEPT, parts.get(user) ?? 0));
    all += CONNECTION * (act.sockets ?? act.count ?? act.parallel ?? 0);
  }
  return [...parts.values()].reduce((sum, part) => sum + part, all);
}

/** A program as it is kept in known.mjs. */
export function listing({ lasts, acts }) {
  const lines = acts.map((act) => `    ${JSON.stringify(act).replaceAll(/"(\w+)":/g, " $1: ").replaceAll(/,(?= )/g, ",").replace(/}$/, " }")},`);
  return ["{", ...(lasts ? [`  lasts: ${lasts},`] : []), "  acts: [", ...lines, "  ],", "},"].join("\n");
}
