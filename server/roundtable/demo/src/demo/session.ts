/** A person of the demo. */
export interface Person {
  userId: string;
  name: string;
  color: string;
}

/** Who looks at the page, and at what. */
export interface Session {
  token: string;
  me: Person;
  people: Person[];
  organizationId: string;
  documentId: string;
  editorId: string;
}

const who = new URLSearchParams(location.search).get("as") ?? "ada";

/** A token for the person of the address of the page. In a product, your server knows who is signed in. */
export async function session(): Promise<Session> {
  const reply = await fetch("/demo/session", { method: "POST", body: who });
  if (!reply.ok) throw new Error(((await reply.json()) as { message: string }).message);
  return (await reply.json()) as Session;
}
