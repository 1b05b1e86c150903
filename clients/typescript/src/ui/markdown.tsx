import type { ReactNode } from "react";

import { useUser } from "../react/people.js";
import { Fragment, h } from "../react/react.js";
import { Part, useClasses } from "./part.js";

/** Bounded, so that the time for a long comment with many beginnings and no ends grows with its length alone. */
const PIECES = new RegExp(
  [
    "`([^`\\n]+)`",
    "\\*\\*(?=\\S)([^\\n]{1,500}?)\\*\\*",
    "(?<![\\w*])([_*])(?=[^\\s_*])([^\\n]{1,500}?)\\3(?!\\w)",
    "\\[([^\\]\\n]{1,200})\\]\\(([^\\s()]+)\\)",
    "(https?:\\/\\/[^\\s<>]*[^\\s<>.,;:!?)'\"*_])",
    "\\{\\{([^{}]+)\\}\\}",
  ].join("|"),
  "g",
);

/** Only pages and mails: a link of a comment runs no script. */
const isSafe = (address: string): boolean => /^(https?:\/\/|mailto:)/i.test(address);

/** Somebody who is mentioned. */
function Mention({ userId }: { userId: string }): ReactNode {
  const { name } = useUser(userId);
  return (
    <Part as="span" name="mention" data-mention={userId}>
      @{name}
    </Part>
  );
}

/** Shows a link; nothing where it is to be shown as it is written. */
type Link = (address: string, children: ReactNode) => ReactNode;

function pieces(text: string, link: Link): ReactNode[] {
  const found: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(PIECES)) {
    const [whole, code, bold, , italic, label, address, url, userId] = match;
    found.push(text.slice(end, match.index));
    end = match.index + whole.length;
    if (code !== undefined) found.push(<code>{code}</code>);
    else if (bold !== undefined) found.push(<strong>{pieces(bold, link)}</strong>);
    else if (italic !== undefined) found.push(<em>{pieces(italic, link)}</em>);
    else if (label !== undefined) found.push(link(address ?? "", label) ?? whole);
    else if (url !== undefined) found.push(link(url, url) ?? whole);
    else if (userId !== undefined) found.push(<Mention userId={userId} />);
  }
  found.push(text.slice(end));
  return found.map((it, at) => <Fragment key={at}>{it}</Fragment>);
}

/** The text of a comment: bold, italic, code, links and mentions. HTML in it is text. */
export function Text({ text }: { text: string }): ReactNode {
  const classes = useClasses();
  const link: Link = (address, children) =>
    isSafe(address) ? (
      <a className={classes("link")} href={address} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    ) : undefined;
  return <>{pieces(text, link)}</>;
}

/** The same in a button, which has no links in it. */
export function Excerpt({ text }: { text: string }): ReactNode {
  return <>{pieces(text, (_, children) => children)}</>;
}
