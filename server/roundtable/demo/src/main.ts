import { LiveEvents } from "../../../../clients/typescript/src/live/index.js";
import { at, attempt, make, say } from "./dom.js";
import { Editor } from "./editor.js";
import { Notices } from "./notices.js";
import { people } from "./people.js";
import { LIVE, begin, newToken } from "./session.js";
import { Threads } from "./threads.js";

attempt(async () => {
  const session = await begin();
  const { me, organizationId } = session;
  document.title = `${me.name} – Roundtable demo`;
  const others = session.people.filter(({ userId }) => userId !== me.userId);
  const links = others.map(({ userId, name }) => make("a", { href: `/demo/?as=${userId}`, target: `demo-${userId}` }, `Open as ${name}`));
  at("other").replaceWith(...links);

  const editor = new Editor(session);
  const status = () => {
    const { wsconnected, synced } = editor.provider;
    at("saved").textContent = synced ? "Live" : wsconnected ? "Connecting …" : "Offline: changes are kept";
    at("saved").className = synced ? "" : "bad";
  };
  editor.provider.on("status", status);
  editor.provider.on("sync", status);
  editor.provider.on("closed", ({ reason }: { reason: string }) => say(reason));

  const threads = new Threads(session, editor);
  const notices = new Notices(session, threads);
  const events = new LiveEvents({ url: LIVE, token: newToken });
  const live = events.document(session);
  live.on("event", ({ name }) => name.startsWith("comment") && attempt(() => threads.read()));
  live.on("reset", () => attempt(() => threads.read()));
  people(session, live);
  events.me(organizationId);
  events.on("notification", () => attempt(() => notices.read(true)));
  events.on("closed", ({ reason }) => say(reason));
  await Promise.all([threads.read(), notices.read(false)]);
});
