import type { KeyboardEvent, ReactNode } from "react";

import { useRoundtable } from "../react/context.js";
import { useMentions } from "../react/people.js";
import { h, useRef, useState } from "../react/react.js";
import { useWhole } from "../react/select.js";
import type { User } from "../store/users.js";
import { Avatar } from "./people.js";
import { Part, type PartProps, useStrings } from "./part.js";

const MOST = 8;
/** How long letters that are typed belong together. */
const TYPED_MS = 800;

const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** People for a mention: those that `resolveMentions` finds, or those who are known and whom the service finds. */
export function useMentionable(query: string | undefined): readonly User[] {
  const { users, options } = useRoundtable();
  // Who becomes known while the list is shown is in it.
  useWhole(users.state);
  const { users: found, isLoading } = useMentions(query);
  if (query === undefined) return [];
  const wanted = plain(query);
  const fits = ({ id, name }: User): boolean =>
    plain(id).startsWith(wanted) || plain(name).split(/\s+/).some((word) => word.startsWith(wanted));
  const isAsked = options.resolveMentions !== undefined;
  const all = isAsked ? found : [...new Map([...found, ...users.known()].map((it) => [it.id, it])).values()];
  // Who was found for something else is not who is meant, unless the name says so.
  const meant = isAsked && !isLoading ? all : all.filter((it) => fits(it) && (isAsked || it.id !== options.userId));
  return meant.slice(0, MOST);
}

/** What {@link MentionList} is given. */
export interface MentionListProps extends PartProps {
  people: readonly User[];
  onPick: (user: User) => void;
  /** Escape was pressed. */
  onClose?: () => void;
  id?: string;
  /** The number of the person that a text field has chosen: then the list takes no focus. */
  active?: number;
}

/** The id of an option in a list. */
export const optionId = (listId: string, at: number): string => `${listId}-${at}`;

/** People to choose from, by arrows, Home, End, Enter and the first letters of a name. */
export function MentionList({ people, onPick, onClose, id = "", active, ...part }: MentionListProps): ReactNode {
  const strings = useStrings();
  const [own, setOwn] = useState(0);
  const typed = useRef({ text: "", at: 0 });
  const isOwn = active === undefined;
  const chosen = Math.min(active ?? own, people.length - 1);
  const press = (event: KeyboardEvent): void => {
    const next = moved(event.key, chosen, people.length);
    const person = people[chosen];
    if (next !== undefined) setOwn(next);
    else if (event.key === "Escape") onClose?.();
    else if ((event.key === "Enter" || event.key === " ") && person) onPick(person);
    else if ([...event.key].length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const text = event.timeStamp - typed.current.at < TYPED_MS ? typed.current.text + event.key : event.key;
      typed.current = { text, at: event.timeStamp };
      const found = people.findIndex(({ name }) => plain(name).startsWith(plain(text)));
      if (found >= 0) setOwn(found);
    } else return;
    event.preventDefault();
  };
  if (people.length === 0)
    return (
      <Part name="mentions-empty" {...part}>
        {strings.noPeople}
      </Part>
    );
  const focus = isOwn ? { tabIndex: 0, onKeyDown: press, "aria-activedescendant": optionId(id, chosen) } : {};
  return (
    <Part as="ul" name="mentions" id={id} role="listbox" aria-label={strings.people} {...focus} {...part}>
      {people.map((person, at) => (
        <Part
          as="li"
          name="mention-option"
          key={person.id}
          id={optionId(id, at)}
          role="option"
          aria-selected={at === chosen}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(person)}
        >
          <Avatar userId={person.id} isDecorative />
          <span>{person.name}</span>
        </Part>
      ))}
    </Part>
  );
}

/** Where a key goes in a list; undefined for a key that goes nowhere. */
export function moved(key: string, at: number, length: number): number | undefined {
  if (length === 0) return undefined;
  if (key === "ArrowDown") return (at + 1) % length;
  if (key === "ArrowUp") return (at - 1 + length) % length;
  if (key === "Home") return 0;
  return key === "End" ? length - 1 : undefined;
}
