import type { Notification } from "../../../../clients/typescript/src/index.js";
import { at, attempt, make, say } from "./dom.js";
import { type Session, api } from "./session.js";
import type { Threads } from "./threads.js";

/** The notifications of the person. */
export class Notices {
  #list: Notification[] = [];

  constructor(
    private readonly session: Session,
    private readonly threads: Threads,
  ) {
    const bell = at("bell");
    bell.addEventListener("click", () => {
      const notices = at("notices");
      notices.hidden = !notices.hidden;
      bell.setAttribute("aria-expanded", String(!notices.hidden));
      if (notices.hidden) attempt(() => this.#seen());
    });
  }

  /** Reads the notifications, and says the newest when it has just come. */
  async read(isNew: boolean): Promise<void> {
    const { organizationId, me } = this.session;
    const { data } = await api.notifications.get({ organizationId, userId: me.userId, pageSize: 20 });
    this.#list = data as Notification[];
    const [newest] = this.#list;
    if (isNew && newest) say(textOf(newest));
    this.#show();
  }

  get #unread(): Notification[] {
    return this.#list.filter(({ readByUserIds }) => !readByUserIds.includes(this.session.me.userId));
  }

  async #seen(): Promise<void> {
    const { organizationId, me } = this.session;
    const notifications = this.#unread.map(({ id }) => ({ id, readByUserIds: [me.userId] }));
    if (notifications.length === 0) return;
    await api.notifications.update({ organizationId, userId: me.userId, notifications });
    await this.read(false);
  }

  #show(): void {
    const unread = this.#unread;
    at("unread").textContent = String(unread.length);
    at("unread").hidden = unread.length === 0;
    const lines = this.#list.map((notification) => {
      const { targetAnnotationId } = notification;
      const onclick = () => targetAnnotationId && this.threads.choose(targetAnnotationId);
      const className = unread.includes(notification) ? "new" : "";
      return make("p", { className }, make("button", { className: "plain", onclick }, textOf(notification)));
    });
    at("notices").replaceChildren(...(lines.length > 0 ? lines : [make("p", { className: "dim" }, "Nothing yet.")]));
  }
}

function textOf(notification: Notification): string {
  const { displayHeadlineMessageTemplate = "", displayHeadlineMessageTemplateData: data, displayBodyMessage } = notification;
  const headline = displayHeadlineMessageTemplate.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = data[name] as { name?: string } | string | undefined;
    return typeof value === "object" ? (value.name ?? "") : String(value ?? "");
  });
  return displayBodyMessage ? `${headline}: ${displayBodyMessage}` : headline;
}
