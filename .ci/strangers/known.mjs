// Programs that showed a fault once, each as short as it is understood; they run first.

export const KNOWN = {
  "names of documents are bounded": {
    lasts: 4_000,
    acts: [{ act: "say", door: "hocuspocus", credential: "none", network: "many", sockets: 280, times: 19, kind: "name", size: 62_000, part: 1, late: 0 }],
  },
  "state vectors of users are bounded": {
    lasts: 3_000,
    acts: ["reader", "writer", "foreign"].map((credential) => ({ act: "say", door: "hocuspocus", credential, network: "/32", sockets: 4, times: 3, kind: "vector", size: 16_500_000, part: 1, late: 0 })),
  },
  "a large change of a reader is judged before it is taken apart": {
    lasts: 3_000,
    acts: [{ act: "say", door: "y", credential: "reader", network: "/32", sockets: 2, times: 2, kind: "sections", size: 8_000_000, part: 1, late: 0 }],
  },
  "a forged token lifts no bound": {
    lasts: 1_500,
    acts: [{ act: "say", door: "hocuspocus", credential: "forged", network: "/24", sockets: 8, times: 2, kind: "name", size: 12_000_000, part: 1, late: 0 }],
  },
  "strangers hold no memory of a tenant": {
    lasts: 2_500,
    acts: [{ act: "say", door: "hocuspocus", credential: "forged", network: "/24", sockets: 12, times: 1, kind: "text", size: 12_000_000, part: 0.02, late: 0 }],
  },
  "users of another tenant hold no memory of this one": {
    lasts: 2_500,
    acts: [{ act: "say", door: "hocuspocus", credential: "foreign", network: "/24", sockets: 12, times: 1, kind: "text", size: 12_000_000, part: 0.02, late: 0 }],
  },
  "a user who reads nothing delays nobody": {
    acts: [
      { act: "say", door: "large", credential: "reader", network: "/32", sockets: 90, times: 3, kind: "join", size: 0, part: 1, late: 0, isDeaf: true },
      { act: "replies", credential: "reader", network: "/32", sockets: 10 },
    ],
  },
  "an editor stays readable whatever is written at once": {
    acts: [{ act: "appends", credential: "writer", parallel: 2, count: 8, size: 300_000, rounds: 1 }],
  },
  "one mark above many runs is not written for each": {
    lasts: 2_000,
    acts: ["writer", "server"].map((credential) => ({ act: "marks", credential, parallel: 4, runs: 2_000, size: 300_000, isListed: credential === "server" })),
  },
  "handshakes of a stranger refuse nobody": {
    acts: [{ act: "shake", door: "nonsense", credential: "none", network: "/24", parallel: 32 }],
  },
  "a stranger under the id of a key delays nobody": {
    acts: [
      { act: "calls", path: "/v2/organizations/get", credential: "wrong", network: "many", parallel: 200, padding: 0 },
      { act: "bodies", path: "/v2/auth/token/get", credential: "wrong", network: "/32", sockets: 20, size: 3_000_000, part: 1 },
    ],
  },
  "replies that nobody reads are bounded": {
    acts: [{ act: "replies", credential: "reader", network: "/32", sockets: 100 }],
  },
  "heads of strangers are not kept": {
    acts: [{ act: "heads", kind: "huge", count: 800, network: "many", size: 28_000 }],
  },
  "the metrics are bounded": {
    lasts: 2_000,
    acts: [{ act: "scrapes", count: 900, kind: "half" }],
  },
  "bodies of a stranger hold up nobody": {
    acts: [{ act: "bodies", path: "/v2/organizations/get", credential: "none", network: "/48", sockets: 78, size: 5_000_000, part: 0.99 }],
  },
  "sockets with a refused token make room": {
    lasts: 4_000,
    acts: [{ act: "hold", door: "y", credential: "forged", network: "many", count: 900, says: "nothing" }],
  },
  "a reader under invented keys has one turn": {
    acts: [{ act: "calls", path: "/v2/crdt/state/get", credential: "invented", network: "/32", parallel: 30, padding: 0 }],
  },
  "a user sends so many bytes": {
    lasts: 3_000,
    acts: [{ act: "say", door: "y", credential: "reader", network: "/32", sockets: 4, times: 20, kind: "text", size: 12_000_000, part: 1, late: 0 }],
  },
  "frames of a reader cost their user": {
    acts: [{ act: "frames", door: "named", credential: "reader", network: "/32", sockets: 8, kind: "deletion", pace: 200, reads: true }],
  },
  "sockets without a token are few": {
    acts: [{ act: "hold", door: "hocuspocus", credential: "none", network: "/48", count: 500, says: "nothing" }],
  },
  "users leave connections to others": {
    lasts: 4_000,
    acts: ["reader", "writer", "foreign"].map((credential) => ({ act: "hold", door: "events", credential, network: "many", count: 250, says: "nothing" })),
  },
  "floods of a reader delay nobody": {
    acts: [
      { act: "frames", door: "frames", credential: "reader", network: "/32", sockets: 4, kind: "awareness", pace: 1, reads: true },
      { act: "frames", door: "named", credential: "reader", network: "/32", sockets: 4, kind: "stateless", pace: 1, reads: true },
      { act: "frames", door: "events", credential: "reader", network: "/32", sockets: 8, kind: "presence", pace: 5, reads: true },
    ],
  },
  "sockets with a token of a disabled key make room": {
    lasts: 4_000,
    acts: [{ act: "hold", door: "y", credential: "revoked", users: 5, network: "many", count: 900, says: "nothing" }],
  },
  "users of one tenant leave sockets to others": {
    lasts: 4_000,
    acts: [{ act: "hold", door: "events", credential: "foreign", users: 5, network: "many", count: 700, says: "nothing" }],
  },
  "users of one tenant leave handshakes to others": {
    lasts: 1_500,
    acts: [{ act: "shake", door: "nonsense", credential: "foreign", users: 8, network: "many", parallel: 32 }],
  },
  "updates that wait for others hold no places of others": {
    lasts: 2_000,
    acts: [{ act: "lacks", credential: "foreign", users: 16, network: "many", sockets: 32 }],
  },
  "bodies of two tenants leave memory to a third": {
    lasts: 3_000,
    acts: ["server", "fellow"].map((credential) => ({ act: "bodies", path: "/v2/organizations/get", credential, network: "/24", sockets: 40, size: 5_300_000, part: 0.99 })),
  },
  "bodies that come slowly hold no memory of others": {
    lasts: 3_000,
    acts: ["server", "fellow"].map((credential) => ({ act: "bodies", path: "/v2/organizations/get", credential, network: "/24", sockets: 80, size: 5_000_000, part: 1, speed: 40_000 })),
  },
  "tokens of a stranger are not kept": {
    lasts: 4_000,
    acts: [{ act: "say", door: "hocuspocus", credential: "none", network: "many", sockets: 280, times: 19, kind: "token", size: 8_000, part: 1, late: 0 }],
  },
  "messages in parts are not kept": {
    acts: [{ act: "frames", door: "frames", credential: "reader", users: 3, network: "many", sockets: 120, kind: "parts", pace: 1, reads: false }],
  },
  "who may only read keeps no client from those who write": {
    lasts: 2_000,
    acts: [{ act: "claims", credential: "reader", network: "/32", sockets: 20 }],
  },
  "what clients do not read is not kept": {
    lifted: 6_000,
    acts: [{ act: "frames", door: "page", credential: "foreign", users: 6, network: "many", sockets: 6, kind: "join", pace: 1, reads: false }],
  },
  "an editor is not filled beyond what its readers get": {
    lifted: 9_000,
    acts: [{ act: "appends", credential: "server", parallel: 20, count: 8, size: 300_000, rounds: 2 }],
  },
  "a large room of one tenant delays no other": {
    lasts: 3_000,
    acts: [{ act: "crowd", credential: "foreign", users: 3, network: "many", sockets: 60, pace: 1_000 }],
  },
};
