import { type CSSProperties, type FormEvent, useEffect, useRef, useState } from "react";
import type { EditorVersion } from "roundtable";

import { personOf } from "./change.js";
import type { Person } from "./session.js";
import type { Versions } from "./versions.js";

const format = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "medium" });

/** When something was. */
export const Time = ({ at }: { at: number }) => <time dateTime={new Date(at).toISOString()}>{format.format(at)}</time>;

const TITLES = { edited: "", added: "Saved", restored: "Restored", reverted: "Undone" };

/** The name of a version, or what it is; nothing for edits. */
export const titleOf = ({ name, kind }: EditorVersion) => name ?? TITLES[kind];

/** Names of people, each with the color of their changes. */
export const Authors = ({ people, userIds }: { people: Person[]; userIds: string[] }) => (
  <span className="authors">
    {userIds.map((userId) => {
      const { name, color } = personOf(people, userId);
      return <span key={userId} style={{ "--who": color } as CSSProperties}>{name}</span>;
    })}
  </span>
);

/** Whether it is the one that is shown, which may have got further edits. */
const isSame = (it: EditorVersion, shown: EditorVersion | undefined) => it.from === shown?.from && it.kind === shown.kind;

/** What {@link History} is given. */
interface Props {
  versions: Versions;
  people: Person[];
  /** The version to see; the present when absent. */
  shown: EditorVersion | undefined;
  onShow: (version: EditorVersion | undefined) => void;
  onClose: () => void;
}

/** A list of versions: when they were, their names, and who wrote them. */
export function History({ versions: { all, error, add }, people, shown, onShow, onClose }: Props) {
  const [name, setName] = useState("");
  const now = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!shown) now.current?.focus();
  }, [shown]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void add(name.trim()).then((isAdded) => isAdded && setName(""));
  };
  return (
    <section className="history" onKeyDown={({ key }) => key === "Escape" && onClose()}>
      <div>
        <h2>History</h2>
        <button className="rt-button" onClick={onClose}>Close</button>
      </div>
      <form onSubmit={submit}>
        <input
          aria-label="Name of the version"
          placeholder="A name for what is there now"
          maxLength={80}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <button className="rt-button" disabled={name.trim() === ""}>Save</button>
      </form>
      {error && <p role="alert">{error}</p>}
      <ol>
        <li>
          <button ref={now} className="version" aria-current={!shown} onClick={() => onShow(undefined)}>Now</button>
        </li>
        {all?.map((it) => (
          <li key={it.versionId}>
            <button className="version" aria-current={isSame(it, shown)} onClick={() => onShow(it)}>
              {titleOf(it) && <strong>{titleOf(it)}</strong>}
              <Time at={it.to} />
              <Authors people={people} userIds={it.userIds} />
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
