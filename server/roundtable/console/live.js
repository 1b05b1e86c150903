// Open connections, and who is in the documents that they follow.
import { $, ago, el, line, list, live, loadKeys, look, nothing, replace, row, state, table } from "./page.js";

// Most documents whose presence is read.
const SHOWN = 20;
const PROTOCOLS = { y: "Yjs", hocuspocus: "Hocuspocus", events: "events" };

// "welcome / editor text" of the organization "acme".
function placeOf({ organizationId, part }) {
  if (part.editor) return { documentId: part.editor.documentId, name: `${organizationId} / ${part.editor.documentId}`, kind: `editor ${part.editor.editorId}`, organizationId };
  if (part.events) return { documentId: part.events.documentId, name: `${organizationId} / ${part.events.documentId}`, kind: "events", organizationId };
  return { name: organizationId, kind: "notifications", organizationId };
}

export async function connections(view) {
  const [open, present, others] = [el("div"), el("div"), el("div", { className: "bar" })];
  replace(view, el("h2", {}, "Connections"), open, others, el("h2", {}, "Presence"), present);
  await live(view, async () => {
    const { connections: all } = await list("connections");
    // A key that came meanwhile has no name yet.
    if (all.some((it) => it.apiKey && !state.keys.some((key) => key.apiKey === it.apiKey))) await loadKeys(state.key);
    // One that has sent no token yet is nobody's.
    const own = all.filter((it) => !it.apiKey || it.apiKey === state.key).map((it) => ({ ...it, places: it.follows.map(placeOf) }));
    if (!others.contains(document.activeElement)) replace(others, ...elsewhere(all));
    replace(open, own.length ? table(["User", "Follows", "Speaks", "Page", "Open for", "Last message"], own.map(connectionRow), "open") : nothing("Nobody is connected with this API key.", el("p", {}, el("a", { href: "#/connect" }, "Connect your app"), ", or open the ", el("a", { href: "/demo/?as=ada", target: "_blank" }, "demo"), ", which has an API key of its own.")));
    const documents = new Map(own.flatMap((it) => it.places).filter((place) => place.documentId).map((place) => [place.name, place]));
    const read = async ({ name, organizationId, documentId }) => ({ name, users: (await look("/v2/presence/get", { organizationId, documentId, pageSize: 100 })).data });
    const rooms = await Promise.all([...documents.values()].slice(0, SHOWN).map(read));
    const users = rooms.flatMap(({ name, users }) => users.map((it) => row([line(name), line(it.name ?? it.userId), el("span", { className: it.status === "online" ? "badge good" : "badge" }, it.status), it.lastUpdated ? `${ago(it.lastUpdated)} ago` : ""])));
    replace(present, users.length ? table(["Document", "User", "Status", "Changed"], users) : nothing("Nobody is present in a document that somebody follows."));
  }, 2000);
}

// Buttons that choose another key, with the number of its connections.
function elsewhere(all) {
  const counts = Map.groupBy(all.filter((it) => it.apiKey && it.apiKey !== state.key), (it) => it.apiKey);
  const choose = (apiKey) => {
    $("key").value = apiKey;
    $("key").dispatchEvent(new Event("change"));
  };
  const name = (apiKey) => state.keys.find((key) => key.apiKey === apiKey)?.name ?? apiKey;
  return [...counts].map(([apiKey, of]) => el("button", { onclick: () => choose(apiKey) }, `${of.length} with ${name(apiKey)}`));
}

function connectionRow(it) {
  const follows = it.places.map((place) => el("div", { className: "place" }, line(place.name), el("span", { className: "dim" }, place.kind)));
  const who = it.userId ? [line(it.name ?? it.userId), it.name && it.name !== it.userId ? el("span", { className: "dim" }, it.userId) : null] : [el("span", { className: "dim" }, "no token yet")];
  return row([el("div", { className: "place" }, who.filter(Boolean)), follows.length ? el("div", {}, follows) : el("span", { className: "dim" }, "nothing yet"), PROTOCOLS[it.protocol] ?? it.protocol, it.origin ? line(it.origin) : el("span", { className: "dim" }, "none"), ago(it.openedAt), `${ago(it.activeAt)} ago`]);
}
