import { Roundtable } from "../../../../clients/typescript/src/index.js";

/** A person of the demo. */
export interface Person {
  userId: string;
  name: string;
  email: string;
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

const name = new URLSearchParams(location.search).get("as") ?? "ada";

/** Gets a token for the person of the address. */
export async function begin(): Promise<Session> {
  const response = await fetch("/demo/session", { method: "POST", body: name });
  if (!response.ok) throw new Error(((await response.json()) as { message: string }).message);
  return (await response.json()) as Session;
}

/** Tokens last 48 hours; a page may be open for longer. */
export const newToken = async (): Promise<string> => (await begin()).token;

/** The service, in the name of the person. */
export const api = new Roundtable(location.origin, { userToken: newToken });

/** The live channel of this page's host. */
export const LIVE = `${location.origin.replace(/^http/, "ws")}/live`;

const HUES = [222, 15, 150, 285, 45, 190];

/** The colour of a person, the same for everybody. */
export function colorOf(session: Session, userId: string, alpha = 1): string {
  const index = session.people.findIndex((person) => person.userId === userId);
  return `hsl(${HUES[index % HUES.length] ?? 0} 65% 45% / ${alpha})`;
}

/** The name of a person. */
export function nameOf(session: Session, userId: string): string {
  return session.people.find((person) => person.userId === userId)?.name ?? userId;
}
