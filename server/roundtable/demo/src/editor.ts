import { defaultKeymap } from "@codemirror/commands";
import { EditorState, RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, keymap, placeholder } from "@codemirror/view";
import { yCollab, yUndoManagerKeymap } from "y-codemirror.next";
import { WebsocketProvider } from "y-websocket";
import * as Y from "yjs";

import { roomOf, roundtableSocket } from "../../../../clients/typescript/src/live/index.js";
import { at } from "./dom.js";
import { LIVE, type Session, colorOf, newToken } from "./session.js";

/** What a thread is about: two places that move with the text. */
export interface Anchor {
  from: unknown;
  to: unknown;
  quote: string;
}

/** A thread's place in the text. */
export interface Marked {
  annotationId: string;
  anchor: Anchor;
  isChosen: boolean;
}

const setMarks = StateEffect.define<DecorationSet>();
const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (value, transaction) =>
    transaction.effects.reduce((now, effect) => (effect.is(setMarks) ? effect.value : now), value.map(transaction.changes)),
  provide: (field) => EditorView.decorations.from(field),
});

/** The shared text: CodeMirror on the stock provider of y-websocket. */
export class Editor {
  readonly #document = new Y.Doc();
  readonly #text = this.#document.getText("content");
  readonly #view: EditorView;
  readonly provider: WebsocketProvider;
  /** Is called when another part of the text is chosen, and with the thread at the cursor. */
  onSelect: (quote: string, annotationId: string | undefined) => void = () => {};
  #marked: Marked[] = [];

  constructor(session: Session) {
    this.provider = new WebsocketProvider(LIVE, roomOf(session), this.#document, {
      WebSocketPolyfill: roundtableSocket({ token: newToken }),
      disableBc: true,
    });
    const { userId, name } = session.me;
    const color = colorOf(session, userId);
    this.provider.awareness.setLocalStateField("user", { name, color, colorLight: colorOf(session, userId, 0.25) });
    const undo = new Y.UndoManager(this.#text);
    this.#view = new EditorView({
      parent: at("editor"),
      state: EditorState.create({
        doc: this.#text.toString(),
        extensions: [
          keymap.of([...yUndoManagerKeymap, ...defaultKeymap]),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": "Text of the document" }),
          placeholder("Write something …"),
          yCollab(this.#text, this.provider.awareness, { undoManager: undo }),
          marks,
          EditorView.updateListener.of((update) => update.selectionSet && this.#selected()),
        ],
      }),
    });
    this.#text.observe(() => queueMicrotask(() => this.mark(this.#marked)));
  }

  /** The chosen part of the text; nothing when none is. */
  anchor(): Anchor | undefined {
    const { from, to } = this.#view.state.selection.main;
    if (from === to) return undefined;
    const place = (index: number, side: number): unknown =>
      Y.relativePositionToJSON(Y.createRelativePositionFromTypeIndex(this.#text, index, side));
    return { from: place(from, 0), to: place(to, -1), quote: this.#view.state.sliceDoc(from, to).slice(0, 200) };
  }

  /** Shows which parts of the text threads are about. */
  mark(marked: Marked[]): void {
    this.#marked = marked;
    const ranges = marked.flatMap((it) => {
      const range = this.#rangeOf(it.anchor);
      if (!range) return [];
      const decoration = Decoration.mark({ class: it.isChosen ? "commented chosen" : "commented" });
      return [decoration.range(range.from, range.to)];
    });
    this.#view.dispatch({ effects: setMarks.of(RangeSet.of(ranges, true)) });
  }

  /** Brings a part of the text into view. */
  show(anchor: Anchor): void {
    const range = this.#rangeOf(anchor);
    if (range) this.#view.dispatch({ effects: EditorView.scrollIntoView(range.from, { y: "center" }) });
  }

  #selected(): void {
    const { from, to } = this.#view.state.selection.main;
    const here = this.#marked.find(({ anchor }) => {
      const range = this.#rangeOf(anchor);
      return range && range.from <= from && to <= range.to;
    });
    this.onSelect(this.#view.state.sliceDoc(from, to), here?.annotationId);
  }

  #rangeOf(anchor: Anchor): { from: number; to: number } | undefined {
    const [from, to] = [anchor.from, anchor.to].map((place) => {
      const position = Y.createRelativePositionFromJSON(place);
      return Y.createAbsolutePositionFromRelativePosition(position, this.#document)?.index;
    });
    const length = this.#view.state.doc.length;
    return from !== undefined && to !== undefined && from < to && to <= length ? { from, to } : undefined;
  }
}
