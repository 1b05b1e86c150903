import { RoundtableStore } from "roundtable/store";

import { type Content, address, arabic, me, nothing, usual } from "./content.js";
import { type Answers, FakeService } from "./service.js";

/** States of a document and of its service. */
export type State = "usual" | "empty" | "loading" | "error" | "offline" | "refused" | "sending" | "rtl";

const made = new Map<State, { store: RoundtableStore; service: FakeService }>();

const KINDS: Record<State, [content: () => Content, answers: Answers]> = {
  usual: [usual, "always"],
  empty: [nothing, "always"],
  loading: [nothing, "never"],
  error: [nothing, "refuses"],
  offline: [usual, "always"],
  refused: [usual, "refusesChanges"],
  sending: [usual, "keepsChanges"],
  rtl: [arabic, "always"],
};

/** The store of a state; its service lies in the page. */
export function storeOf(state: State): { store: RoundtableStore; service: FakeService } {
  const known = made.get(state);
  if (known) return known;
  const [content, answers] = KINDS[state];
  const service = new FakeService(state, content(), answers);
  const { baseUrl, WebSocket } = service;
  const { organizationId } = address;
  const store = new RoundtableStore({ baseUrl, organizationId, userId: me, getToken: () => "none", storage: null, WebSocket });
  const both = { store, service };
  made.set(state, both);
  void begin(state, both);
  return both;
}

/** Lets happen what a state is about. */
async function begin(state: State, { store, service }: { store: RoundtableStore; service: FakeService }): Promise<void> {
  const room = store.room(address.documentId);
  room.enter();
  store.inbox().enter();
  store.unread.enter();
  await room.ready();
  if (state === "usual" || state === "rtl") move(service, ...(state === "usual" ? ["bob", "cy"] : ["layla", "omar"]));
  if (state === "offline") {
    // What is shown is read before that.
    await new Promise((resolve) => setTimeout(resolve, 500));
    service.leave();
  }
  if (!["offline", "refused", "sending"].includes(state)) return;
  room.createComment("launch", { text: "Then let us launch on Tuesday." }).sent.catch(() => {});
  if (state === "refused") room.createThread({ comment: { text: "Who writes the announcement?" } }).sent.catch(() => {});
}

const STEP_MS = 1_200;
const PLACES = [[20, 25], [62, 40], [45, 70], [75, 20], [30, 60]] as const;

/** Lets people point at something, again and again. */
function move(service: FakeService, ...people: string[]): void {
  let step = 0;
  setInterval(() => {
    step++;
    for (const [at, userId] of people.entries()) {
      const [x, y] = PLACES[(step + at * 2) % PLACES.length] ?? [0, 0];
      service.tell({ type: "broadcast", ...address, userId, data: { cursors: "", x, y } });
    }
  }, STEP_MS);
}
