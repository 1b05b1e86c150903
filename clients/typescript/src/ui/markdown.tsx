import { Fragment, type ReactNode } from "react";

import { useUser } from "../react/people.js";
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

function pieces(text: string, linkClass: string | undefined): ReactNode[] {
  const found: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(PIECES)) {
    const [whole, code, bold, , italic, label, address, url, userId] = match;
    found.push(text.slice(end, match.index));
    end = match.index + whole.length;
    const link = (href: string, children: ReactNode): ReactNode =>
      isSafe(href) ? (
        <a className={linkClass} href={href} target="_blank" rel="noopener noreferrer nofollow">
          {children}
        </a>
      ) : (
        whole
      );
    if (code !== undefined) found.push(<code>{code}</code>);
    else if (bold !== undefined) found.push(<strong>{pieces(bold, linkClass)}</strong>);
    else if (italic !== undefined) found.push(<em>{pieces(italic, linkClass)}</em>);
    else if (label !== undefined) found.push(link(address ?? "", label));
    else if (url !== undefined) found.push(link(url, url));
    else if (userId !== undefined) found.push(<Mention userId={userId} />);
  }
  found.push(text.slice(end));
  return found.map((it, at) => <Fragment key={at}>{it}</Fragment>);
}

/** The text of a comment: bold, italic, code, links and mentions. HTML in it is text. */
export function Text({ text }: { text: string }): ReactNode {
  const classes = useClasses();
  return <>{pieces(text, classes("link"))}</>;
}
