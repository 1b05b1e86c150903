// What every view of the console is made with. It makes calls by the operator's routes, so no token
// of a tenant is in the page; what it shows comes from anybody and is only ever set as text.

export const $ = (id) => document.getElementById(id);
export const state = { key: null, keys: [], view: "follow", timer: null, openapi: null };
export const memory = window.sessionStorage;

// ---- elements ---------------------------------------------------------------------------------

export function el(tag, members = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(members)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name in node && name !== "list") node[name] = value;
    else node.setAttribute(name, value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) node.append(child);
  return node;
}
export const text = (value) => (value === null || value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value));
export const json = (value) => el("pre", { tabIndex: 0, textContent: JSON.stringify(value, null, 2) ?? "" });
// Long names break behind a slash or a dot.
export const breakable = (name) => name.replace(/[/.]/g, "$&\u200b");
export const time = (at) => (at ? new Date(at).toLocaleTimeString([], { hour12: false }) + "." + String(new Date(at).getMilliseconds()).padStart(3, "0") : "");
export const replace = (node, ...children) => node.replaceChildren(...children.flat());

export function say(message, isBad = false) {
  $("message").textContent = message;
  $("message").className = isBad ? "bad" : "";
}

export function table(heads, rows) {
  return el("table", {}, el("thead", {}, el("tr", {}, heads.map((head) => (head ? el("th", { scope: "col" }, head) : el("td"))))), el("tbody", {}, rows));
}
export const row = (cells, members = {}) => el("tr", members, cells.map((cell) => el("td", { className: /^\d\d:\d\d:\d\d/.test(cell) ? "time" : "" }, cell)));

// ---- calls ------------------------------------------------------------------------------------

export async function operator(path, body) {
  const headers = { "x-service-admin-token": memory.getItem("admin") ?? "" };
  const options = body === undefined ? { headers } : { headers: { ...headers, "content-type": "application/json" }, method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(`/console/api/${path}`, options);
  const reply = await answer.json();
  if (answer.status === 403 && reply.message) {
    unlock();
    throw new Error(reply.message);
  }
  return { status: answer.status, requestId: answer.headers.get("x-request-id"), reply };
}

export async function list(path) {
  const { status, reply } = await operator(path);
  if (status !== 200) throw new Error(reply.message);
  return reply;
}

// A call in the name of the chosen key; answers with `result`.
export async function call(path, data, apiKey = state.key) {
  const { reply } = await operator("call", { apiKey, path, data });
  if (reply.error) throw new Error(`${reply.error.status}: ${reply.error.message}`);
  return reply.result;
}

export async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    say(error.message, true);
    return undefined;
  }
}

export function unlock() {
  if (!$("unlock").open) $("unlock").showModal();
}

// ---- keys -------------------------------------------------------------------------------------

export async function loadKeys(chosen) {
  const { keys } = await list("keys");
  state.keys = keys;
  const wanted = chosen ?? state.key ?? memory.getItem("key");
  state.key = keys.some((key) => key.apiKey === wanted) ? wanted : keys[0]?.apiKey ?? null;
  if (state.key) memory.setItem("key", state.key);
  const option = (key) => el("option", { value: key.apiKey, selected: key.apiKey === state.key }, `${key.apiKey.slice(0, 12)}…, ${key.type}, ${key.ownerEmail}, ${new Date(key.createdAt).toLocaleString()}`);
  replace($("key"), keys.map(option));
}

// Runs now and every second while the view is open and the page is looked at.
export function live(work) {
  const run = () => document.hidden || attempt(work);
  clearInterval(state.timer);
  state.timer = setInterval(run, 1000);
  return run();
}
