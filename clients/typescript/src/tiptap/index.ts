export type { AnchorLocation } from "../anchors/location.js";
export {
  COMMENT_MARK,
  type NewAnchoredComment,
  RoundtableComments,
  type RoundtableCommentsOptions,
  addComment,
  selectedThread,
  threadRanges,
} from "./extension.js";
export {
  type CommentsPluginOptions,
  type CommentsState,
  type ThreadRange,
  commentsKey,
  commentsPlugin,
} from "./plugin.js";
