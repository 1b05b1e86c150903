// What an app needs: its settings, tokens, and code that has them.
import { attempt, call, code, copy, el, line, look, memory, nameOf, operator, replace, state } from "./page.js";
import { endpoint, env, html, install, page, serverCall, starter, userCall } from "./snippets.js";

const HIDDEN = "•".repeat(24);
// How long an end user's token is valid, in seconds.
const LIFETIME = 3600;

// The auth token of the chosen key, asked for when a developer wants it.
async function authToken() {
  const { status, reply } = await operator("credentials", { apiKey: state.key });
  if (status !== 200) throw new Error(reply.message);
  return reply.authToken;
}

export async function connect(view) {
  const { data: organizations } = await look("/v2/organizations/get", { pageSize: 100 });
  const ids = organizations.map((it) => it.organizationId ?? it.id);
  const kept = memory.getItem("organization");
  const organization = field("Organization", kept && ids.includes(kept) ? kept : ids[0] ?? "acme", ids);
  const document = field("Document", memory.getItem("document") ?? "welcome");
  const [settings, server, client, token] = [el("section"), el("section"), el("section"), el("section")];
  const at = () => ({ url: location.origin, apiKey: state.key, organizationId: organization.value, documentId: document.value });
  const fill = () => {
    memory.setItem("organization", organization.value);
    memory.setItem("document", document.value);
    replace(server, ...serverOf(at()));
    replace(client, ...clientOf(at()));
  };
  for (const input of [organization, document]) input.addEventListener("input", fill);
  const key = state.keys.find((it) => it.apiKey === state.key);
  replace(settings, ...settingsOf(at(), key));
  replace(token, ...tokenOf(at));
  replace(view, settings, el("h2", {}, "Where"),
    el("p", { className: "dim" }, "What the code below names. An organization has people and documents; a room of the kit follows one document."),
    el("div", { className: "bar" }, organization.parentElement, document.parentElement),
    server, client, token);
  fill();
}

function field(label, value, options) {
  const id = `of-${label}`;
  const input = el("input", { value, spellcheck: false, autocomplete: "off", size: 18 });
  if (options?.length) input.setAttribute("list", id);
  el("label", {}, label, input, options?.length ? el("datalist", { id }, options.map((option) => el("option", { value: option }))) : null);
  return input;
}

function settingsOf(at, key) {
  const shown = el("div");
  const secret = el("span", { className: "line mono" }, HIDDEN);
  let isShown = false;
  const button = el("button", { onclick: () => attempt(async () => {
    isShown = !isShown;
    await draw();
  }) }, "Show");
  const draw = async () => {
    const found = isShown ? await authToken() : HIDDEN;
    button.textContent = isShown ? "Hide" : "Show";
    secret.textContent = found;
    replace(shown, code(".env", env({ ...at, authToken: found }), async () => env({ ...at, authToken: await authToken() })));
  };
  attempt(draw);
  const fact = (name, ...value) => el("div", {}, el("dt", {}, name), el("dd", {}, value));
  return [
    el("h2", {}, "Your server"),
    el("p", { className: "dim" }, "The API key and its auth token act for the whole tenant: they stay on your server, and no page has them."),
    el("div", { className: "columns" },
      el("dl", { className: "facts" },
        fact("Tenant", line(key ? nameOf(key) : "")),
        fact("URL", line(at.url, "mono"), copy(() => at.url, "Copy", "URL")),
        fact("API key", line(at.apiKey, "mono"), copy(() => at.apiKey, "Copy", "API key")),
        fact("Auth token", secret, button, copy(authToken, "Copy", "auth token"))),
      shown),
  ];
}

function serverOf(at) {
  return [
    el("h2", {}, "A token for each page"),
    el("p", { className: "dim" }, "A page gets the token of its user from your server, which knows who is signed in. Next.js, Hono and workers take ", el("code", {}, "tokenHandler"), ", FastAPI has ", el("code", {}, "roundtable.fastapi"), ". Until the packages are published, a release has them as files."),
    el("div", { className: "columns" }, code("vite.config.js", endpoint(at)), el("div", {}, code("Shell, in the folder of your app", install()), code("Or a whole app: editor, comments, inbox", starter()), code("A call of your server", serverCall(at)))),
  ];
}

function clientOf(at) {
  return [
    el("h2", {}, "A page"),
    el("p", { className: "dim" }, "Comments, an inbox and who is here, for React. ", el("a", { href: "/kit/", target: "_blank" }, "The kit"), " shows each part in all its states; open ", el("code", {}, "/?as=ada"), " and ", el("code", {}, "/?as=bob"), "."),
    el("div", { className: "columns page" }, code("main.tsx", page(at)), el("div", {}, code("index.html", html()), code("Start it", "npx vite\n"))),
  ];
}

// A token to try calls of an end user with.
function tokenOf(at) {
  const user = field("User", "ada");
  const name = field("Name", "Ada");
  const email = field("E-mail", "ada@example.com");
  const role = el("select", {}, ["editor", "commenter", "viewer"].map((it) => el("option", {}, it)));
  const made = el("div", { "aria-live": "polite" });
  const make = () => attempt(async () => {
    const { organizationId } = at();
    const resources = [{ type: "organization", id: organizationId, accessRole: role.value }];
    const { data } = await call("/v2/auth/generate_token", { userId: user.value, userProperties: { name: name.value, email: email.value }, permissions: { resources }, expiresIn: LIFETIME });
    replace(made, el("div", { className: "columns" }, code(`Token of ${user.value}, ${role.value} in ${organizationId}, for an hour`, data.token), code("A call with it", userCall(at()), () => `TOKEN=${data.token}\n${userCall(at())}`)));
  });
  return [
    el("h2", {}, "An end user's token"),
    el("p", { className: "dim" }, "To try what a page may do, without one. The copied call has the token."),
    el("div", { className: "bar" }, [user, name, email].map((input) => input.parentElement), el("label", {}, "Role", role), el("button", { className: "main", onclick: make }, "Make a token")),
    made,
  ];
}
