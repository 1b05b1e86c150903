/** Every word that the parts show or say. */
export interface Strings {
  /** The headline of the inbox, and the name of its button. */
  notifications: string;
  noNotifications: string;
  markAllRead: string;
  threads: string;
  noThreads: string;
  loading: string;
  loadMore: string;
  /** In front of why something cannot be read. */
  cannotRead: string;
  open: string;
  resolved: string;
  all: string;
  resolve: string;
  reopen: string;
  newComment: string;
  reply: string;
  writeComment: string;
  writeReply: string;
  send: string;
  save: string;
  cancel: string;
  edit: string;
  remove: string;
  /** Asks before a comment is deleted. */
  confirmRemove: string;
  edited: string;
  sending: string;
  /** A comment that is sent when the connection is back. */
  waiting: string;
  refused: string;
  sendAgain: string;
  discard: string;
  format: string;
  bold: string;
  italic: string;
  code: string;
  link: string;
  mention: string;
  people: string;
  noPeople: string;
  react: string;
  /** The reader, in the headline of a notification. */
  you: string;
  unread: string;
  connected: string;
  saving: string;
  connecting: string;
  offline: string;
  threadBy: (name: string) => string;
  commentBy: (name: string) => string;
  reactedBy: (icon: string, names: string) => string;
  unreadCount: (count: number) => string;
  /** How many more people there are than are shown. */
  morePeople: (count: number) => string;
  /** Said when a comment arrives. */
  commentArrived: (name: string) => string;
  notificationArrived: (headline: string) => string;
  peopleFound: (count: number) => string;
  /** Changes that wait for the connection. */
  changesWait: (count: number) => string;
}

/** The parts in English. */
export const en: Strings = {
  notifications: "Notifications",
  noNotifications: "No notifications.",
  markAllRead: "Mark all as read",
  threads: "Comments",
  noThreads: "No comments.",
  loading: "Loading …",
  loadMore: "Load more",
  cannotRead: "This cannot be shown:",
  open: "Open",
  resolved: "Resolved",
  all: "All",
  resolve: "Resolve",
  reopen: "Reopen",
  newComment: "New comment",
  reply: "Reply",
  writeComment: "Write a comment …",
  writeReply: "Write a reply …",
  send: "Send",
  save: "Save",
  cancel: "Cancel",
  edit: "Edit",
  remove: "Delete",
  confirmRemove: "Delete this comment?",
  edited: "edited",
  sending: "Sending …",
  waiting: "Waiting for the connection",
  refused: "This was not stored:",
  sendAgain: "Send again",
  discard: "Discard",
  format: "Format",
  bold: "Bold",
  italic: "Italic",
  code: "Code",
  link: "Link",
  mention: "Mention somebody",
  people: "People",
  noPeople: "Nobody found.",
  react: "Add a reaction",
  you: "you",
  unread: "Unread",
  connected: "Saved",
  saving: "Saving …",
  connecting: "Connecting …",
  offline: "Offline",
  threadBy: (name) => `Thread of ${name}`,
  commentBy: (name) => `Comment of ${name}`,
  reactedBy: (icon, names) => `${icon} by ${names}`,
  unreadCount: (count) => `${count} unread`,
  morePeople: (count) => `${count} more`,
  commentArrived: (name) => `New comment by ${name}`,
  notificationArrived: (headline) => `New notification: ${headline}`,
  peopleFound: (count) => (count === 1 ? "1 person" : `${count} people`),
  changesWait: (count) => (count === 1 ? "1 change waits" : `${count} changes wait`),
};
