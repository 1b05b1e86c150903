import type { Comment, CommentAnnotation, Notification, Reaction, User } from "roundtable";

/** The document of the gallery. */
export const address = { organizationId: "acme", documentId: "plan" };
/** Who looks at it. */
export const me = "ada";

const picture = (color: string): string => {
  const head = `<circle cx="14" cy="11" r="5" fill="white"/><circle cx="14" cy="27" r="10" fill="white"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28"><rect width="28" height="28" fill="${color}"/>${head}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
};

/** Everybody. */
export const users = [
  { userId: "ada", name: "Ada Lovelace", color: "#2a55d6" },
  { userId: "bob", name: "Bob Baker", color: "#c2410c" },
  { userId: "cy", name: "Cy Young", color: "#0f766e", photoUrl: picture("#0f766e") },
  { userId: "dana", name: "Dana", color: "#7e22ce" },
  { userId: "eve", name: "Eve Adams", color: "#be185d", photoUrl: picture("#be185d") },
  { userId: "fay", name: "Fay Wong", color: "#4d7c0f" },
  { userId: "layla", name: "ليلى حسن", color: "#2a55d6" },
  { userId: "omar", name: "عمر خالد", color: "#c2410c" },
] as User[];

const person = (userId: string) => ({ userId, name: users.find((it) => it.userId === userId)?.name ?? userId });
const MINUTE_MS = 60_000;
const before = (minutes: number): number => Date.now() - minutes * MINUTE_MS;

/** Numbers of comments, and of what is named by one. */
let last = 0;

/** A reaction of some people. */
export function reaction(icon: string, ...userIds: string[]): Reaction {
  const fromUsers = userIds.map((userId) => ({ from: person(userId), lastUpdated: before(1) }));
  return { annotationId: `reaction-${++last}`, icon, fromUsers, type: "reaction" } as Reaction;
}

/** A comment of somebody, some minutes ago. */
export function comment(userId: string, text: string, minutes = 0, more: Partial<Comment> = {}): Comment {
  const createdAt = before(minutes);
  return {
    commentId: ++last, commentText: text, from: person(userId), createdAt, reactionAnnotations: [], reactionAnnotationIds: [],
    attachments: [], taggedUserContacts: [], to: [], isEdited: false, type: "text", status: "added", ...more,
  } as unknown as Comment;
}

/** A thread of comments, about some words. */
export function thread(id: string, quote: string | undefined, ...comments: Comment[]): CommentAnnotation {
  const [first] = comments;
  return {
    annotationId: id, comments, from: first?.from ?? person(me), createdAt: first?.createdAt ?? Date.now(),
    lastUpdated: comments.at(-1)?.createdAt ?? Date.now(), status: OPEN, type: "comment", involvedUserIds: [], mentionedUserIds: [],
    subscribedUsers: {}, unsubscribedUsers: {}, unread: false, metadata: address, visibilityConfig: { type: "public" },
    ...(quote !== undefined && { location: { id: id, quote, ...PLACES[id] } }),
  } as unknown as CommentAnnotation;
}

/** Where pins are, in percent. */
const PLACES: Record<string, { x: number; y: number }> = { launch: { x: 15, y: 20 }, price: { x: 55, y: 45 }, typo: { x: 80, y: 65 } };

const OPEN = { id: "OPEN", name: "Open", type: "default", color: "", lightColor: "" };
/** The status of a thread that is done. */
export const RESOLVED = { id: "RESOLVED", name: "Resolved", type: "terminal", color: "", lightColor: "" };

/** A notification of a comment. */
export function notification(userId: string, does: string, text: string, minutes: number, isRead: boolean): Notification {
  return {
    id: `notification-${++last}`, actionUser: person(userId), targetAnnotationId: "launch", timestamp: before(minutes),
    displayHeadlineMessageTemplate: `{actionUser} ${does}`, displayHeadlineMessageTemplateData: { actionUser: person(userId) },
    displayBodyMessage: text, readByUserIds: isRead ? [me] : [],
  } as unknown as Notification;
}

/** What a service has. */
export interface Content {
  threads: CommentAnnotation[];
  notifications: Notification[];
  /** Who is in the document. */
  people: string[];
}

/** A document in which much has happened. */
export const usual = (): Content => ({
  people: ["ada", "bob", "cy", "dana"],
  threads: [
    thread("launch", "We launch on Monday",
      comment("bob", "Is that so, {{ada}}? The **notes** are not there yet.", 47, { reactionAnnotations: [reaction("👀", "cy"), reaction("👍", "ada", "dana")] }),
      comment("ada", "They are: https://example.com/notes. Run `npm run notes` to see them.", 12, { isEdited: true })),
    thread("price", "free for small teams", comment("cy", "How small is small?", 180)),
    { ...thread("typo", "recieve", comment("dana", "receive", 2_900), comment("ada", "Thanks, done.", 2_880)), status: RESOLVED } as CommentAnnotation,
  ],
  notifications: [
    notification("bob", "mentioned you in Launch plan", "Is that so, @Ada Lovelace? The notes are not there yet.", 47, false),
    notification("cy", "commented in Launch plan", "How small is small?", 180, false),
    notification("dana", "commented in Launch plan", "receive", 2_900, true),
  ],
});

/** The same in a script that is written from right to left. */
export const arabic = (): Content => ({
  people: ["ada", "layla", "omar"],
  threads: [
    thread("launch", "سنطلق يوم الاثنين",
      comment("layla", "هل هذا صحيح؟ **الملاحظات** ليست جاهزة بعد.", 47, { reactionAnnotations: [reaction("👍", "omar")] }),
      comment("omar", "نعم، {{layla}}، إنها جاهزة.", 12)),
  ],
  notifications: [notification("layla", "علّقت على الخطة", "هل هذا صحيح؟", 47, false), notification("omar", "ردّ على تعليق", "نعم، إنها جاهزة.", 12, true)],
});

/** A document in which nothing has happened. */
export const nothing = (): Content => ({ people: [me], threads: [], notifications: [] });
