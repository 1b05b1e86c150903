import type { Notification, Person } from "../generated/types.js";

/** A piece of a headline: text, or a person. */
export type HeadlinePart = string | { userId: string; name: string };

/**
 * The headline of a notification, its template filled in: `{actionUser} commented in {documentName}`.
 *
 * @param you the word for the reader, such as `you`; their name when absent.
 */
export function headlineOf(notification: Notification, you?: string): HeadlinePart[] {
  const { displayHeadlineMessageTemplate: template = "", displayHeadlineMessageTemplateData: data } = notification;
  const parts: HeadlinePart[] = [];
  for (const [place, piece] of template.split(/\{([^{}]+)\}/).entries()) {
    if (place % 2 === 0) {
      if (piece) parts.push(piece);
      continue;
    }
    const value = data[piece];
    const person = typeof value === "object" && value !== null ? (value as Partial<Person>) : undefined;
    if (piece === "recipientUser" && you !== undefined) parts.push(you);
    else if (person?.userId !== undefined) parts.push({ userId: person.userId, name: person.name ?? person.userId });
    else parts.push(value === undefined ? `{${piece}}` : String(value));
  }
  return parts;
}

/** The headline as plain text. */
export function headlineText(notification: Notification, you?: string): string {
  return headlineOf(notification, you)
    .map((part) => (typeof part === "string" ? part : part.name))
    .join("");
}
