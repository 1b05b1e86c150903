// What an app needs to reach the service, as text. A test of the client compiles the programs.

// A text in JavaScript, and as an attribute in JSX.
const quoted = (value) => JSON.stringify(value);
const attribute = (value) => (/^[^"\\&{}<>\n]*$/.test(value) ? `"${value}"` : `{${quoted(value)}}`);
// A text of a shell.
const shell = (value) => `'${value.replaceAll("'", "'\\''")}'`;

export const env = ({ url, apiKey, authToken }) => `ROUNDTABLE_URL=${url}
ROUNDTABLE_API_KEY=${apiKey}
ROUNDTABLE_AUTH_TOKEN=${authToken}
`;

export const install = () => `npm install roundtable react react-dom vite
`;

export const starter = () => `npm create roundtable@latest my-app
`;

// The endpoint that gives a page its token, in the development server of Vite.
export const endpoint = ({ organizationId }) => `import { nodeTokenHandler } from "roundtable/server";

process.loadEnvFile(".env");
const token = nodeTokenHandler({
  identify: ({ url }) => {
    // Your session, in a product: here the address of the page says who it is.
    const userId = new URL(url, "http://localhost").searchParams.get("as");
    if (!userId) return undefined;
    const email = \`\${userId}@example.com\`;
    return { userId, name: userId, email, access: [{ type: "organization", id: ${quoted(organizationId)}, accessRole: "editor" }] };
  },
});
export default {
  plugins: [{ name: "token", configureServer: ({ middlewares }) => void middlewares.use("/api/roundtable", token) }],
};
`;

export const html = () => `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<div id="root"></div><script type="module" src="/main.tsx"></script>
`;

export const page = ({ url, organizationId, documentId }) => `import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Room, Roundtable } from "roundtable/react";
import { fetchToken } from "roundtable/store";
import { AvatarStack, Composer, ConnectionBadge, Inbox, ThreadList } from "roundtable/ui";
import "roundtable/ui/styles.css";

const me = new URLSearchParams(location.search).get("as") ?? "ada";

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <Roundtable baseUrl=${attribute(url)} organizationId=${attribute(organizationId)} userId={me}
      getToken={fetchToken(\`/api/roundtable?as=\${me}\`)}>
      <Room documentId=${attribute(documentId)} fallback={<p>Loading …</p>}>
        <header><ConnectionBadge /> <AvatarStack /> <Inbox /></header>
        <Composer />
        <ThreadList />
      </Room>
    </Roundtable>
  </StrictMode>,
);
`;

// A call of a server, with the variables of `.env`.
export const serverCall = ({ organizationId, documentId }) => `set -a; . ./.env
curl "$ROUNDTABLE_URL/v2/commentannotations/get" \\
  -H "x-service-api-key: $ROUNDTABLE_API_KEY" -H "x-service-auth-token: $ROUNDTABLE_AUTH_TOKEN" \\
  -d ${shell(JSON.stringify({ data: { organizationId, documentId } }))}
`;

// A call of an end user, with the token in a variable.
export const userCall = ({ url, organizationId, documentId }) => `curl ${shell(`${url}/v2/commentannotations/get`)} \\
  -H "authorization: Bearer $TOKEN" \\
  -d ${shell(JSON.stringify({ data: { organizationId, documentId } }))}
`;
