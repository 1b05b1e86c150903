import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Room, Roundtable } from "roundtable/react";
import { RoundtableUi, en } from "roundtable/ui";

import { Page } from "./page.js";
import { type Session, session } from "./session.js";

const strings = { ...en, noThreads: "Select some text to comment on it." };

const getToken = async () => (await session()).token;

function App(props: Session) {
  const { organizationId, documentId, me } = props;
  const waiting = ({ error }: { error: Error | undefined }) => <p className="wait">{error?.message ?? "Loading …"}</p>;
  return (
    <Roundtable baseUrl={location.origin} organizationId={organizationId} userId={me.userId} getToken={getToken}>
      <RoundtableUi strings={strings} locale="en">
        <Room documentId={documentId} fallback={waiting}>
          <Page {...props} />
        </Room>
      </RoundtableUi>
    </Roundtable>
  );
}

const root = createRoot(document.getElementById("root")!);
session().then(
  (it) => {
    document.title = `${it.me.name} – Roundtable demo`;
    root.render(<StrictMode><App {...it} /></StrictMode>);
  },
  (error: Error) => root.render(<p className="wait" role="alert">{error.message}</p>),
);
