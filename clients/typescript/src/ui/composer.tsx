import type { ClipboardEvent, KeyboardEvent, ReactNode } from "react";

import { useRoom, useRoundtable } from "../react/context.js";
import { useRole } from "../react/people.js";
import { Fragment, h, useEffect, useId, useRef, useState } from "../react/react.js";
import type { CommentContent, ThreadContent } from "../store/change.js";
import type { User } from "../store/users.js";
import { fill, insert, mentionElement, mentionQuery, putMention, rangeIn, select, surround, textOf } from "./field.js";
import { MentionList, moved, optionId, useMentionable } from "./mentions.js";
import { Announcer, Icon, Part, type PartProps, useClasses, useStrings } from "./part.js";
import { Button } from "./states.js";

/** What another field for the text of a {@link Composer} is given. */
export interface ComposerField {
  /** The text to begin with. */
  initial: string;
  /** What the field is for. */
  label: string;
  /** Sends what was written. */
  onSubmit: (content: CommentContent) => void;
  onCancel: (() => void) | undefined;
}

/** What {@link Composer} is given. */
export interface ComposerProps extends Omit<PartProps, "render"> {
  /** Answers in this thread; begins a thread when absent. */
  threadId?: string | undefined;
  /** What a new thread has beside its comment, such as its `location`. */
  thread?: ThreadContent | undefined;
  /** Called in place of sending. */
  onSubmit?: ((content: CommentContent) => void) | undefined;
  /** A comment is shown, and on its way. */
  onSent?: ((threadId: string) => void) | undefined;
  /** Shows a button, and is called by Escape. */
  onCancel?: (() => void) | undefined;
  /** The text to begin with. */
  initial?: string;
  label?: string;
  placeholder?: string;
  submitLabel?: string;
  hasFocus?: boolean;
  /** Another field, such as an editor that the page has anyway. */
  render?: ((field: ComposerField) => ReactNode) | undefined;
}

const LINK = "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 6 6l1-1";
/** Keys of formats, with the Markdown around the text. */
const FORMATS = [
  ["bold", "b", "**", "**", <b key="b">B</b>],
  ["italic", "i", "_", "_", <i key="i">I</i>],
  ["code", "e", "`", "`", "<>"],
  ["link", "k", "[", "](https://)", <Icon key="k" path={LINK} />],
] as const;

/**
 * A field for a comment. Enter sends, Shift and Enter begins a line, `@` looks for people. Bold, italic,
 * code and links are kept as Markdown.
 */
export function Composer({
  threadId,
  thread,
  onSubmit,
  onSent,
  onCancel,
  initial = "",
  label,
  placeholder,
  submitLabel,
  hasFocus = false,
  render,
  className,
}: ComposerProps): ReactNode {
  const room = useRoom();
  const role = useRole();
  const strings = useStrings();
  const name = label ?? (threadId === undefined ? strings.newComment : strings.reply);
  const submit = (content: CommentContent): void => {
    if (onSubmit) return onSubmit(content);
    if (threadId !== undefined) room.createComment(threadId, content);
    const id = threadId ?? room.createThread({ ...thread, comment: content }).thread.annotationId;
    onSent?.(id);
  };
  if (role === "viewer") return null;
  const field = { initial, label: name, onSubmit: submit, onCancel };
  return (
    <Part as="div" name="composer" role="group" aria-label={name} className={className}>
      {render ? (
        render(field)
      ) : (
        <TextField
          {...field}
          hasFocus={hasFocus}
          submitLabel={submitLabel ?? strings.send}
          placeholder={placeholder ?? (threadId === undefined ? strings.writeComment : strings.writeReply)}
        />
      )}
    </Part>
  );
}

function TextField({
  initial,
  label,
  placeholder,
  submitLabel,
  hasFocus,
  onSubmit,
  onCancel,
}: ComposerField & { placeholder: string; submitLabel: string; hasFocus: boolean }): ReactNode {
  const { users } = useRoundtable();
  const strings = useStrings();
  const classes = useClasses();
  const listId = useId();
  const field = useRef<HTMLDivElement>(null);
  /** The selection when the focus went to a button. */
  const left = useRef<Range>(undefined);
  const [isEmpty, setEmpty] = useState(initial.trim() === "");
  const [query, setQuery] = useState<string>();
  const [active, setActive] = useState(0);
  const people = useMentionable(query);
  const isOpen = query !== undefined && people.length > 0;
  const mention = (id: string, name = users.of(id).name): HTMLElement => mentionElement(id, name, classes("mention"));
  useEffect(() => {
    const element = field.current;
    if (!element) return;
    // Browsers without it have rich text, of which only the text is taken.
    if (element.contentEditable !== "plaintext-only") element.setAttribute("contenteditable", "true");
    fill(element, initial, (id) => mention(id));
    if (hasFocus) element.focus();
    // The field has what was typed since.
  }, []);
  const changed = (): void => {
    const element = field.current;
    if (!element) return;
    setEmpty(textOf(element).trim() === "");
    setQuery(mentionQuery(element)?.query);
    setActive(0);
  };
  const edit = (does: (element: HTMLElement) => void): void => {
    const element = field.current;
    if (!element) return;
    if (document.activeElement !== element) {
      element.focus();
      if (left.current) select(left.current);
    }
    does(element);
    changed();
  };
  const pick = ({ id, name }: User): void =>
    edit((element) => {
      const typed = mentionQuery(element);
      if (typed) putMention(typed.range, mention(id, name));
    });
  const submit = (): void => {
    const element = field.current;
    const text = element ? textOf(element).replaceAll("\u00a0", " ").trim() : "";
    if (!element || text === "") return;
    onSubmit({ text });
    element.replaceChildren();
    changed();
    element.focus();
  };
  const press = (event: KeyboardEvent): void => {
    // Of a composition, such as that of Japanese: in Safari, the key that ends one says so by its code alone.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const { key } = event;
    const next = isOpen ? moved(key, active, people.length) : undefined;
    const person = isOpen ? people[active] : undefined;
    const format = event.ctrlKey || event.metaKey ? FORMATS.find(([, it]) => it === key.toLowerCase()) : undefined;
    if (next !== undefined) setActive(next);
    else if (person && (key === "Enter" || key === "Tab")) pick(person);
    else if (key === "Escape" && query !== undefined) setQuery(undefined);
    else if (key === "Escape" && onCancel) onCancel();
    else if (key === "Enter" && !event.shiftKey) submit();
    else if (format) edit((element) => surround(element, format[2], format[3]));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const paste = (event: ClipboardEvent): void => {
    event.preventDefault();
    edit((element) => insert(element, event.clipboardData.getData("text/plain")));
  };
  const list = isOpen ? { "aria-controls": listId, "aria-activedescendant": optionId(listId, active) } : {};
  return (
    <>
      <Part
        name="field"
        elementRef={field}
        role="textbox"
        aria-multiline
        aria-label={label}
        aria-autocomplete="list"
        aria-placeholder={placeholder}
        data-placeholder={placeholder}
        data-empty={isEmpty || undefined}
        contentEditable="plaintext-only"
        suppressContentEditableWarning
        tabIndex={0}
        dir="auto"
        onInput={changed}
        onKeyDown={press}
        onPaste={paste}
        onBlur={({ currentTarget }) => {
          left.current = rangeIn(currentTarget).cloneRange();
          setQuery(undefined);
        }}
        {...list}
      />
      {query !== undefined && <MentionList id={listId} people={people} active={active} onPick={pick} />}
      <Announcer>{query === undefined ? "" : strings.peopleFound(people.length)}</Announcer>
      <Part name="tools" onMouseDown={(event) => event.preventDefault()}>
        <Part as="span" name="formats" role="group" aria-label={strings.format}>
          {FORMATS.map(([name, , before, after, sign]) => (
            <Button
              key={name}
              name="tool"
              title={strings[name]}
              aria-label={strings[name]}
              onClick={() => edit((element) => surround(element, before, after))}
            >
              {sign}
            </Button>
          ))}
          <Button
            name="tool"
            title={strings.mention}
            aria-label={strings.mention}
            onClick={() => edit((element) => insert(element, /(^|\s)$/.test(textOf(element)) ? "@" : " @"))}
          >
            @
          </Button>
        </Part>
        {onCancel && <Button onClick={onCancel}>{strings.cancel}</Button>}
        <Button name="submit" disabled={isEmpty} onClick={submit}>
          {submitLabel}
        </Button>
      </Part>
    </>
  );
}
