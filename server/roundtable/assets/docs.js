// The reference of the service on this machine. One click creates a workspace whose credentials fill
// in the calls that are tried; they are kept in this browser.

const KEPT = "roundtable-reference";
const [status, button] = document.querySelectorAll("#credentials > *");

/** What the examples of the reference refer to. */
const SAMPLES = [
  [
    "/v2/organizations/folders/add",
    {
      organizationId: "acme",
      createOrganization: true,
      folders: [{ folderId: "handbook", folderName: "Handbook" }],
    },
  ],
  [
    "/v2/organizations/documents/add",
    {
      organizationId: "acme",
      folderId: "handbook",
      documents: [{ documentId: "welcome", documentName: "Welcome" }],
    },
  ],
  [
    "/v2/users/add",
    {
      organizationId: "acme",
      users: [{ userId: "ada", name: "Ada" }, { userId: "bob", name: "Bob" }],
    },
  ],
  [
    "/v2/commentannotations/add",
    {
      organizationId: "acme",
      documentId: "welcome",
      commentAnnotations: [
        {
          annotationId: "intro",
          commentData: [
            { commentId: 111111, from: { userId: "ada", name: "Ada" }, commentText: "Right?" },
          ],
        },
      ],
    },
  ],
];

async function call(path, data, headers) {
  const reply = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ data }),
  });
  const body = await reply.json();
  if (!reply.ok) throw new Error(body.error.message);
  return body.result.data;
}

/** A workspace with its first API key, and what the examples refer to. */
async function createWorkspace() {
  // The console was opened with it; otherwise its holder is asked.
  const adminToken =
    sessionStorage.getItem("admin") ?? prompt("Admin token, as `cargo run` prints it");
  if (!adminToken) throw new Error("A workspace is created with the admin token.");
  sessionStorage.setItem("admin", adminToken);
  const workspace = await call(
    "/v2/workspace/create",
    { ownerEmail: "you@example.com", name: "Reference" },
    { "x-service-admin-token": adminToken },
  );
  const [apiKey] = Object.keys(workspace.apiKeyList);
  const { authTokens } = await call(
    "/v2/workspace/authtokens/get",
    { apiKey },
    {
      "x-service-workspace-id": workspace.id,
      "x-service-workspace-auth-token": workspace.authToken,
    },
  );
  const authToken = authTokens[0].token;
  const headers = { "x-service-api-key": apiKey, "x-service-auth-token": authToken };
  for (const [path, data] of SAMPLES) await call(path, data, headers);
  return {
    adminToken,
    apiKey,
    authToken,
    workspaceId: workspace.id,
    workspaceToken: workspace.authToken,
  };
}

/** The workspace that this browser has used before, unless its data is gone. */
async function keptWorkspace() {
  const kept = JSON.parse(localStorage.getItem(KEPT) ?? "null");
  if (!kept) return null;
  const headers = {
    "x-service-workspace-id": kept.workspaceId,
    "x-service-workspace-auth-token": kept.workspaceToken,
  };
  return call("/v2/workspace/get", {}, headers).then(() => kept, () => null);
}

/** Shows the reference; samples name the credentials `{{apiKey}}` and so on. */
function show(text, known) {
  const filled = text.replace(/\{\{(\w+)\}\}/g, (mark, name) => known?.[name] ?? mark);
  const value = (name) => ({ value: known?.[name] ?? "" });
  document.querySelector("#reference").replaceChildren();
  Scalar.createApiReference("#reference", {
    content: JSON.parse(filled),
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: "never",
    documentDownloadType: "none",
    defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
    authentication: {
      preferredSecurityScheme: [["ServiceApiKey", "ServiceAuthToken"]],
      securitySchemes: {
        ServiceApiKey: value("apiKey"),
        ServiceAuthToken: value("authToken"),
        ServiceWorkspaceId: value("workspaceId"),
        ServiceWorkspaceAuthToken: value("workspaceToken"),
        ServiceAdminToken: value("adminToken"),
      },
    },
  });
  status.textContent = known
    ? `Calls use the API key ${known.apiKey} of a workspace on this machine.`
    : "Try the operations: create a workspace on this machine.";
  button.textContent = known ? "Use a new workspace" : "Create a workspace";
}

/** Makes `#/v2/users/add`, as errors link to it, the address of the operation in the reference. */
function openLinked(text) {
  const path = location.hash.slice(1);
  const operation = path.startsWith("/") && JSON.parse(text).paths[path]?.post;
  if (!operation) return;
  const tag = operation.tags[0].toLowerCase().replaceAll(" ", "-");
  history.replaceState(null, "", `#tag/${tag}/POST${path}`);
}

async function start() {
  const text = await (await fetch("/openapi.json")).text();
  openLinked(text);
  show(text, await keptWorkspace());
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const created = await createWorkspace();
      localStorage.setItem(KEPT, JSON.stringify(created));
      location.reload();
    } catch (error) {
      status.textContent = `No workspace was created: ${error.message}`;
      button.disabled = false;
    }
  });
}

start();
