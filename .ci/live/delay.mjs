// A network: passes TCP connections on to the service, each byte so many milliseconds later.
import { connect, createServer } from "node:net";

/** Listens on a port of its own; `ms` may be changed meanwhile. */
export async function delayed(port, ms) {
  const network = { ms };
  const later = (from, to) => {
    from.on("data", (data) => setTimeout(() => to.writable && to.write(data), network.ms));
    from.on("end", () => setTimeout(() => to.end(), network.ms));
    from.on("error", () => setTimeout(() => to.destroy(), network.ms));
  };
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const service = connect({ port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
    later(client, service);
    later(service, client);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  network.port = server.address().port;
  network.end = () => server.close();
  return network;
}
