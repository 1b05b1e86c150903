import react from "@vitejs/plugin-react";
import { type Access, nodeTokenHandler } from "roundtable/server";
import { type Connect, defineConfig } from "vite";
import people from "./people.json" with { type: "json" };

const token = nodeTokenHandler<Connect.IncomingMessage>({
  // The address of the page says who it is: in a product, your session does.
  identify: ({ url = "" }) => {
    const person = people.find(({ id }) => id === new URL(url, "http://localhost").searchParams.get("as"));
    const access: Access[] = [{ type: "organization", id: "acme", accessRole: "editor" }];
    return person && { ...person, userId: person.id, access };
  },
});
export default defineConfig({
  server: { port: Number(process.env.PORT), strictPort: true },
  plugins: [react(), { name: "token", configureServer: (it) => void it.middlewares.use("/api/roundtable", token) }],
});
