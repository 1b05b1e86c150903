// @hocuspocus/server as a process of its own: `node hocuspocus.mjs PORT [SQLITE_FILE]`.
import { SQLite } from "@hocuspocus/extension-sqlite";
import { Server } from "@hocuspocus/server";

const [, , port, database] = process.argv;
const extensions = database ? [new SQLite({ database })] : [];
await new Server({ port: Number(port), address: "127.0.0.1", quiet: true, extensions }).listen();
