"use client";
export type { InboxNotification } from "../store/inbox.js";
export { Comment, type CommentProps } from "./comment.js";
export { Composer, type ComposerField, type ComposerProps } from "./composer.js";
export { ConnectionBadge } from "./connection.js";
export { Cursors, type CursorsProps } from "./cursors.js";
export { Failures, type FailuresProps } from "./failures.js";
export {
  FloatingComposer,
  type FloatingComposerProps,
  FloatingThread,
  type FloatingThreadProps,
} from "./floating.js";
export { de } from "./german.js";
export {
  Bell,
  type BellProps,
  Inbox,
  InboxItem,
  type InboxItemProps,
  InboxList,
  type InboxListProps,
  type InboxProps,
} from "./inbox.js";
export { Text } from "./markdown.js";
export { MentionList, type MentionListProps, useMentionable } from "./mentions.js";
export {
  type PartAttributes,
  type PartProps,
  RoundtableUi,
  type RoundtableUiProps,
  useStrings,
} from "./part.js";
export { Avatar, type AvatarProps, AvatarStack, type AvatarStackProps } from "./people.js";
export { CommentPin, type CommentPinProps } from "./pin.js";
export type { Anchor, Placement } from "./placement.js";
export { Reactions, type ReactionsProps } from "./reactions.js";
export { type Strings, en } from "./strings.js";
export { Thread, type ThreadProps } from "./thread.js";
export { ThreadList, type ThreadListFilter, type ThreadListProps, type ThreadListSort } from "./thread_list.js";
export { Timestamp, type TimestampProps } from "./times.js";
export { UnreadDot, type UnreadDotProps } from "./unread.js";
