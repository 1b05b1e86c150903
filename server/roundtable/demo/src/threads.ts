import type { CommentAnnotation } from "../../../../clients/typescript/src/index.js";
import { at, attempt, make, sendsByKey } from "./dom.js";
import type { Anchor, Editor } from "./editor.js";
import { type Session, api, colorOf, nameOf } from "./session.js";

/** Threads of comments beside the text. */
export class Threads {
  #threads: CommentAnnotation[] = [];
  #chosen: string | undefined;
  #reading: Promise<void> | undefined;
  #isStale = false;

  constructor(
    private readonly session: Session,
    private readonly editor: Editor,
  ) {
    const form = at<HTMLFormElement>("comment");
    const text = at<HTMLTextAreaElement>("comment-text");
    sendsByKey(text);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      attempt(() => this.#begin(text));
    });
    editor.onSelect = (quote, annotationId) => {
      at("quote").textContent = quote || "the document";
      if (annotationId) this.choose(annotationId);
    };
  }

  /** Reads the threads; once more when it is called meanwhile. */
  read(): Promise<void> {
    this.#isStale = true;
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  /** Shows which part of the text a thread is about. */
  choose(annotationId: string): void {
    this.#chosen = annotationId;
    this.#show();
    document.getElementById(`thread-${annotationId}`)?.scrollIntoView({ block: "nearest" });
  }

  async #read(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      const { organizationId, documentId } = this.session;
      const { data } = await api.comments.annotationsGet({ organizationId, documentIds: [documentId], pageSize: 50 });
      this.#threads = (data as CommentAnnotation[]).filter(({ status }) => status.type !== "terminal");
      this.#show();
    }
  }

  async #begin(text: HTMLTextAreaElement): Promise<void> {
    const anchor = this.editor.anchor();
    await api.comments.annotationsAdd({
      ...this.#place,
      commentAnnotations: [{ ...(anchor && { context: { anchor } }), commentData: [this.#said(text.value)] }],
    });
    text.value = "";
    await this.read();
  }

  async #reply(annotationId: string, text: HTMLTextAreaElement): Promise<void> {
    await api.comments.add({ ...this.#place, annotationId, commentData: [this.#said(text.value)] });
    text.value = "";
    await this.read();
  }

  async #resolve(annotationId: string): Promise<void> {
    const status = { id: "RESOLVED", name: "Resolved", type: "terminal" as const, color: "#0a0", lightColor: "#efe" };
    await api.comments.annotationsUpdate({ ...this.#place, annotationIds: [annotationId], updatedData: { status } });
    await this.read();
  }

  get #place(): { organizationId: string; documentId: string } {
    const { organizationId, documentId } = this.session;
    return { organizationId, documentId };
  }

  /** A comment; people are mentioned by `@` and their id. */
  #said(commentText: string) {
    const mentioned = this.session.people.filter(({ userId }) => commentText.includes(`@${userId}`));
    const taggedUserContacts = mentioned.map((contact) => ({ userId: contact.userId, text: `@${contact.userId}`, contact }));
    return { from: this.session.me, commentText, taggedUserContacts, triggerNotification: true };
  }

  #show(): void {
    const drafts = new Map([...document.querySelectorAll<HTMLTextAreaElement>("#threads textarea")].map((it) => [it.name, it]));
    const focused = document.activeElement;
    const articles = this.#threads.map((thread) => this.#article(thread, drafts.get(thread.annotationId)));
    const nothing = make("p", { className: "dim" }, "No comments yet. Choose some text and say what you think of it.");
    at("threads").replaceChildren(...(articles.length > 0 ? articles : [nothing]));
    if (focused instanceof HTMLTextAreaElement && focused.isConnected) focused.focus();
    const marked = this.#threads.flatMap((thread) => {
      const anchor = anchorOf(thread);
      return anchor ? [{ annotationId: thread.annotationId, anchor, isChosen: thread.annotationId === this.#chosen }] : [];
    });
    this.editor.mark(marked);
  }

  #article(thread: CommentAnnotation, draft: HTMLTextAreaElement | undefined): HTMLElement {
    const { annotationId } = thread;
    const anchor = anchorOf(thread);
    const choose = () => {
      this.choose(annotationId);
      if (anchor) this.editor.show(anchor);
    };
    const quote = make("button", { className: "plain", onclick: choose }, make("q", {}, anchor?.quote ?? "the document"));
    const resolve = make("button", { className: "plain resolve", onclick: () => attempt(() => this.#resolve(annotationId)) }, "Resolve");
    const comments = thread.comments.map(({ from, commentText }) => {
      const who = make("b", {}, nameOf(this.session, from.userId));
      who.style.setProperty("--color", colorOf(this.session, from.userId));
      return make("p", {}, who, commentText ?? "");
    });
    const text = draft ?? make("textarea", { name: annotationId, rows: 1, required: true, placeholder: "Reply …" });
    if (!draft) {
      text.setAttribute("aria-label", "Reply");
      sendsByKey(text);
    }
    const form = make("form", { className: "row" }, text, make("button", {}, "Reply"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      attempt(() => this.#reply(annotationId, text));
    });
    const className = annotationId === this.#chosen ? "chosen" : "";
    return make("article", { id: `thread-${annotationId}`, className }, resolve, quote, ...comments, form);
  }
}

function anchorOf({ context }: CommentAnnotation): Anchor | undefined {
  return (context as { anchor?: Anchor } | undefined)?.anchor;
}
