// Programs that showed a fault once, each as short as it is understood; they run first.

export const KNOWN = {
  "who leaves a second time is told what is unsaved then": {
    people: [["editor", null]],
    steps: [
      ["open", 0, 0, 0, "ours", "early"],
      ["disconnect", 0],
      ["type", 0, 0.5, 3],
      ["leave", 0],
    ],
  },
  "what a local store brings is not shown as saved before both sides have compared": {
    people: [["editor", null]],
    steps: [
      ["open", 0, 0, 0, "hocuspocus", "early"],
      ["type", 0, 0.5, 3],
      ["open", 0, 0, 0, "ours", "early"],
      ["reload", 0, "leave", "early"],
    ],
  },
  "of several changes that were sent, each is acknowledged for itself": {
    people: [["editor", null]],
    steps: [
      ["open", 0, 0, 0, "ours", "early"],
      ["settle"],
      ["type", 0, 0.5, 2],
      ["mute", 0],
      ["wait", 150],
      ["rest", 0, 0],
    ],
  },
  "who follows and connects once more is connected": {
    people: [["editor", null]],
    steps: [
      ["follow", 0, 0, 0, "fresh"],
      ["settle"],
      ["connect", 0],
    ],
  },
  "who has not moved is seen after a break": {
    people: [["editor", null], ["commenter", null]],
    steps: [
      ["open", 0, 0, 0, "ours", "early"],
      ["open", 1, 1, 0, "ours", "early"],
      ["wait", 4000],
      ["cut", 0],
      ["wait", 400],
    ],
  },
  "what is typed before the page is left is stored": {
    people: [["editor", null]],
    steps: [
      ["open", 0, 0, 0, "ours", "early"],
      ["open", 1, 0, 0, "y", "early"],
      ["open", 2, 0, 0, "hocuspocus", "early"],
      ["open", 3, 0, 0, "native-y", "early"],
      ["open", 4, 0, 0, "native-hocuspocus", "early"],
      ["settle"],
      ["typeAndLeave", 0, 0.5, 6],
      ["typeAndLeave", 1, 0.5, 6],
      ["typeAndLeave", 2, 0.5, 6],
      ["typeAndLeave", 3, 0.5, 6],
      ["typeAndLeave", 4, 0.5, 6],
    ],
  },
  "what a reader types is refused, told, and saved once the reader may write": {
    people: [["editor", null], ["editor", null]],
    steps: [
      ["open", 0, 0, 0, "ours", "early"],
      ["open", 1, 1, 0, "ours", "early"],
      ["open", 2, 1, 0, "hocuspocus", "early"],
      ["settle"],
      ["role", 1, 0, "viewer"],
      ["type", 1, 0.5, 2],
      ["type", 2, 0.5, 2],
      ["wait", 400],
      ["type", 1, 0.5, 2],
      ["role", 1, 0, "editor"],
    ],
  },
  "what a reader types alone is saved once the reader may write": {
    people: [["viewer", null]],
    steps: [
      ["open", 0, 0, 0, "ours", "early"],
      ["settle"],
      ["type", 0, 0.5, 2],
      ["role", 0, 0, "editor"],
    ],
  },
  "who types while the right to write is lost is told": {
    people: [["editor", null], ["editor", null]],
    steps: [
      ["open", 0, 0, 0, "ours", "early"],
      ["open", 1, 1, 0, "ours", "early"],
      ["settle"],
      ["roleWhileTyping", 1, "viewer"],
      ["type", 1, 0.5, 2],
    ],
  },
  "a reader is told": {
    people: [["editor", null], ["viewer", null]],
    steps: [
      ["open", 0, 1, 0, "ours", "early"],
      ["open", 1, 1, 0, "hocuspocus", "early"],
      ["type", 0, 0.5, 1],
      ["settle"],
      ["type", 1, 0.5, 1],
    ],
  },
  "an editor that was deleted does not come back": {
    people: [["editor", null], ["editor", null]],
    steps: [
      ["open", 0, 0, 0, "ours", "early"],
      ["open", 1, 1, 0, "y", "early"],
      ["open", 2, 1, 0, "hocuspocus", "early"],
      ["settle"],
      ["down", 0],
      ["type", 0, 0.5, 2],
      ["delete", 0],
      ["type", 1, 0.5, 2],
      ["add", 0],
      ["type", 2, 0.5, 2],
      ["heal", 0, "reset"],
      ["settle"],
      ["reload", 0, "leave", "late"],
    ],
  },
  "a token that has ended ends who follows": {
    people: [["editor", "editor"]],
    steps: [
      ["follow", 0, 0, 0, "static"],
      ["follow", 1, 0, 0, "fresh"],
      ["open", 2, 0, 1, "static", "early"],
      ["settle"],
      ["expire"],
      ["comment", 0, 1],
      ["cut", 0],
      ["cut", 2],
    ],
  },
  "a thread that was deleted is told, also after a break": {
    people: [["editor", null], ["viewer", null]],
    steps: [
      ["follow", 0, 1, 0, "fresh"],
      ["follow", 1, 0, 0, "fresh"],
      ["settle"],
      ["comment", 0, 2],
      ["down", 1],
      ["uncomment", 0, 0.1],
      ["comment", 0, 1],
    ],
  },
  "more than can be told again is told as a gap": {
    people: [["editor", null]],
    steps: [
      ["follow", 0, 0, 0, "fresh"],
      ["settle"],
      ["comment", 0, 1],
      ["settle"],
      ["down", 0],
      ["burst", 0],
    ],
  },
  "a document that was deleted ends who follows and who edits": {
    people: [["editor", null]],
    steps: [
      ["follow", 0, 0, 0, "fresh"],
      ["open", 1, 0, 0, "ours", "early"],
      ["open", 2, 0, 0, "hocuspocus", "early"],
      ["open", 3, 0, 0, "y", "early"],
      ["settle"],
      ["drop", 0],
    ],
  },
  "who connects again at once is connected": {
    people: [["editor", null]],
    steps: [
      ["open", 0, 0, 0, "native-hocuspocus", "early"],
      ["open", 1, 0, 0, "hocuspocus", "early"],
      ["settle"],
      ["disconnect", 0],
      ["disconnect", 1],
    ],
  },
  "what is typed while the right to write comes is not shown as saved alone": {
    people: [["viewer", null]],
    steps: [
      ["open", 0, 0, 0, "ours", "early"],
      ["wait", 120],
      ["roleWhileTyping", 0, "editor"],
    ],
  },
};
