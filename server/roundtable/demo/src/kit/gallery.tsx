import { useState } from "react";
import { Room, Roundtable } from "roundtable/react";
import { RoundtableUi, en } from "roundtable/ui";

import { address } from "./content.js";
import { PARTS, type PartOfKit, type Shown } from "./parts.js";
import { storeOf } from "./stores.js";

const idOf = (name: string): string => name.replace(/\W+/g, "-");

/** A part in one of its states. */
function Stage({ name, label, state = "usual", isDark, part }: Shown & { name: string }) {
  // A page has one list of each name; here are many.
  const strings = { ...en, threads: `${en.threads}: ${name}, ${label}`, notifications: `${en.notifications}: ${label}` };
  return (
    <figure className="stage" {...(isDark && { "data-theme": "dark" })}>
      <figcaption>{label}</figcaption>
      <div {...(state === "rtl" && { dir: "rtl" })}>
        <Roundtable store={storeOf(state).store}>
          <RoundtableUi strings={strings} locale={state === "rtl" ? "ar" : "en"}>
            <Room documentId={address.documentId}>{part}</Room>
          </RoundtableUi>
        </Roundtable>
      </div>
    </figure>
  );
}

function Code({ name, code }: { name: string; code: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => void navigator.clipboard.writeText(code).then(() => setCopied(true));
  return (
    <div className="code">
      <pre tabIndex={0} aria-label={`Code of ${name}`} role="region"><code>{code}</code></pre>
      <button className="rt-button" aria-label={`Copy the code of ${name}`} onClick={copy}>{isCopied ? "Copied" : "Copy"}</button>
    </div>
  );
}

function Section({ name, about, code, shown, isWide }: PartOfKit) {
  return (
    <section id={idOf(name)} aria-labelledby={`${idOf(name)}-title`}>
      <h2 id={`${idOf(name)}-title`}>{name}</h2>
      <p>{about.split("`").map((piece, at) => (at % 2 === 0 ? piece : <code key={at}>{piece}</code>))}</p>
      <Code name={name} code={code} />
      <div className={isWide ? "stages wide" : "stages"}>
        {shown.map((it) => <Stage key={it.label} name={name} {...it} />)}
      </div>
    </section>
  );
}

/** All parts of the kit. */
export function Gallery() {
  return (
    <>
      <header>
        <h1>Roundtable <span>kit</span></h1>
        <nav aria-label="Pages"><a href="/demo/?as=ada">Demo</a> <a href="/docs/">Documentation</a></nav>
      </header>
      <nav className="parts" aria-label="Parts">
        {PARTS.map(({ name }) => <a key={name} href={`#${idOf(name)}`}>{name}</a>)}
      </nav>
      <main>
        <p className="lead">
          The parts of <code>roundtable/ui</code>, each in its states. They work, on data of this page: nothing is sent.
          They are below <code>{"<Roundtable>"}</code> and <code>{"<Room>"}</code>, with <code>roundtable/ui/styles.css</code>.
        </p>
        {PARTS.map((it) => <Section key={it.name} {...it} />)}
      </main>
    </>
  );
}
