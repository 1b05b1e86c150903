import type { LiveDocument } from "../../../../clients/typescript/src/live/index.js";
import { at, make } from "./dom.js";
import { type Session, colorOf, nameOf } from "./session.js";

/** Shows who is in the document, and says of this page whether somebody looks at it. */
export function people(session: Session, live: LiveDocument): void {
  const tell = () => live.setPresence(document.hidden ? "away" : "online");
  document.addEventListener("visibilitychange", tell);
  tell();
  live.on("presence", (users) => {
    const here = users.filter(({ status }) => status !== "offline");
    at("people").replaceChildren(
      ...here.map((user) => {
        const away = user.status === "away";
        const item = make("li", { className: away ? "away" : "" }, nameOf(session, user.userId));
        item.style.setProperty("--color", colorOf(session, user.userId));
        return item;
      }),
    );
  });
}
