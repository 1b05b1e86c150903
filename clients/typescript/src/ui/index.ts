"use client";
import { styled } from "./part.js";
import * as plain from "./primitives.js";

export type {
  Anchor,
  AvatarProps,
  AvatarStackProps,
  BellProps,
  CommentPinProps,
  CommentProps,
  ComposerField,
  ComposerProps,
  CursorsProps,
  FailuresProps,
  FloatingComposerProps,
  FloatingThreadProps,
  InboxItemProps,
  InboxListProps,
  InboxNotification,
  InboxProps,
  MentionListProps,
  PartAttributes,
  PartProps,
  Placement,
  ReactionsProps,
  RoundtableUiProps,
  Strings,
  ThreadListFilter,
  ThreadListProps,
  ThreadListSort,
  ThreadProps,
  TimestampProps,
  UnreadDotProps,
} from "./primitives.js";
export { RoundtableUi, de, en, useMentionable, useStrings } from "./primitives.js";

// The parts with the classes of `roundtable/ui/styles.css`.

/** The picture of somebody, or the first letters of their name. */
export const Avatar = /* @__PURE__ */ styled(plain.Avatar);
/** Who is here. */
export const AvatarStack = /* @__PURE__ */ styled(plain.AvatarStack);
/** A bell with the number of unread notifications, of those that are read from the service. */
export const Bell = /* @__PURE__ */ styled(plain.Bell);
/** A comment, with what its author may do with it. */
export const Comment = /* @__PURE__ */ styled(plain.Comment);
/** Who began a thread, at its place on a page: a button that opens the thread. */
export const CommentPin = /* @__PURE__ */ styled(plain.CommentPin);
/** A field for a comment. Enter sends, Shift and Enter begins a line, `@` looks for people. */
export const Composer = /* @__PURE__ */ styled(plain.Composer);
/** Whether everything is stored, on its way, or waiting for the connection. */
export const ConnectionBadge = /* @__PURE__ */ styled(plain.ConnectionBadge);
/** An element of a page, with the pointers of others who are in it. */
export const Cursors = /* @__PURE__ */ styled(plain.Cursors);
/** Changes of the room that the service refused: why, and buttons that send them again or forget them. */
export const Failures = /* @__PURE__ */ styled(plain.Failures);
/** A field for a comment beside what it is about. It takes the focus, and gives it back. */
export const FloatingComposer = /* @__PURE__ */ styled(plain.FloatingComposer);
/** A thread of the room beside what it is about. It takes the focus, and gives it back. */
export const FloatingThread = /* @__PURE__ */ styled(plain.FloatingThread);
/** A bell that opens the user's notifications, in a native popover. */
export const Inbox = /* @__PURE__ */ styled(plain.Inbox);
/** A notification. To open it marks it as read. */
export const InboxItem = /* @__PURE__ */ styled(plain.InboxItem);
/** The user's notifications, the newest first. */
export const InboxList = /* @__PURE__ */ styled(plain.InboxList);
/** People to choose from, by arrows, Home, End, Enter and the first letters of a name. */
export const MentionList = /* @__PURE__ */ styled(plain.MentionList);
/** Who reacted how to a comment, and buttons to do so. */
export const Reactions = /* @__PURE__ */ styled(plain.Reactions);
/** The text of a comment: bold, italic, code, links and mentions. HTML in it is text. */
export const Text = /* @__PURE__ */ styled(plain.Text);
/** A thread: its comments, a field for an answer, and a button that resolves it. */
export const Thread = /* @__PURE__ */ styled(plain.Thread);
/** The threads of the room. */
export const ThreadList = /* @__PURE__ */ styled(plain.ThreadList);
/** When something was, in the language of `<RoundtableUi>`; the whole date is its title. */
export const Timestamp = /* @__PURE__ */ styled(plain.Timestamp);
/** Shown while the user's inbox has an unread notification of a thread. */
export const UnreadDot = /* @__PURE__ */ styled(plain.UnreadDot);
