import type { KeyboardEvent, ReactNode } from "react";

import { useRoundtable } from "../react/context.js";
import { useInbox, useUnreadCount } from "../react/inbox.js";
import { h, useEffect, useId, useRef, useState } from "../react/react.js";
import { headlineText } from "../store/headline.js";
import type { InboxNotification } from "../store/inbox.js";
import { useArrival } from "./arrivals.js";
import { Excerpt } from "./markdown.js";
import { Avatar } from "./people.js";
import { Announcer, Icon, Part, type PartProps, useStrings } from "./part.js";
import { type Placement, follow } from "./placement.js";
import { Button, ListState } from "./states.js";
import { Timestamp } from "./times.js";

/** What {@link InboxItem} is given. */
export interface InboxItemProps extends PartProps {
  notification: InboxNotification;
  /** It was opened, and is read now. */
  onOpen?: ((notification: InboxNotification) => void) | undefined;
}

/** A notification. To open it marks it as read. */
export function InboxItem({ notification, onOpen, ...part }: InboxItemProps): ReactNode {
  const store = useRoundtable();
  const strings = useStrings();
  const { id, isRead, actionUser, displayBodyMessage, timestamp } = notification;
  const open = (): void => {
    if (!isRead) void store.inbox().markRead([id]);
    onOpen?.(notification);
  };
  const button = { type: "button" };
  return (
    <Part as="button" name="inbox-item" data-unread={!isRead || undefined} onClick={open} {...button} {...part}>
      {actionUser && <Avatar userId={actionUser.userId} isDecorative />}
      <Part as="span" name="headline">
        {headlineText(notification, strings.you)}
      </Part>
      {!isRead && <Part as="span" name="unread" role="img" aria-label={strings.unread} />}
      {displayBodyMessage && (
        <Part as="span" name="inbox-body" dir="auto">
          <Excerpt text={displayBodyMessage} />
        </Part>
      )}
      <Timestamp at={timestamp} />
    </Part>
  );
}

/** What {@link InboxList} is given. */
export interface InboxListProps extends PartProps {
  /** Only those about a document. */
  documentId?: string | undefined;
  /** Only unread ones. */
  unread?: boolean;
  onOpen?: ((notification: InboxNotification) => void) | undefined;
  /** Shows a notification; an {@link InboxItem} when absent. */
  renderItem?: ((notification: InboxNotification) => ReactNode) | undefined;
}

/** The user's notifications, the newest first. */
export function InboxList({ documentId, unread, onOpen, renderItem, ...part }: InboxListProps): ReactNode {
  const strings = useStrings();
  const { notifications, isLoading, error, hasMore, fetchMore } = useInbox({ documentId, unread });
  return (
    <Part name="inbox-list" aria-busy={isLoading} {...part}>
      <ListState
        isLoading={isLoading}
        error={error}
        isEmpty={notifications.length === 0}
        empty={strings.noNotifications}
      />
      {notifications.length > 0 && (
        <Part as="ul" name="inbox-items" aria-label={strings.notifications} onKeyDown={moveFocus}>
          {notifications.map((it) => (
            <li key={it.id}>{renderItem ? renderItem(it) : <InboxItem notification={it} onOpen={onOpen} />}</li>
          ))}
        </Part>
      )}
      {hasMore && <Button onClick={() => void fetchMore()}>{strings.loadMore}</Button>}
    </Part>
  );
}

/** Arrows go from one notification to the next. */
function moveFocus(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>("li > button")];
  const next = buttons[buttons.indexOf(document.activeElement as HTMLElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** What {@link Bell} is given. */
export interface BellProps extends PartProps {
  onClick?: () => void;
  /** Whether what it opens is open. */
  isExpanded?: boolean;
  /** Counts only those about a document. */
  documentId?: string | undefined;
}

/** A bell with the number of unread notifications; about a document, of those that are read from the service. */
export function Bell({ onClick, isExpanded, ...part }: BellProps): ReactNode {
  return <BellButton onClick={onClick} isExpanded={isExpanded} {...part} />;
}

interface BellButtonProps extends PartProps {
  onClick?: (() => void) | undefined;
  isExpanded?: boolean | undefined;
  documentId?: string | undefined;
  elementRef?: unknown;
}

function BellButton({ isExpanded, onClick, documentId, elementRef, ...part }: BellButtonProps): ReactNode {
  const known = useInbox({ documentId });
  const all = useUnreadCount();
  const isOfAll = documentId === undefined && !all.isLoading && !all.error;
  const [unreadCount, hasMore] = isOfAll ? [all.unread, all.hasMore] : [known.unreadCount, known.hasMore];
  const strings = useStrings();
  const label = unreadCount === 0 ? "" : `, ${strings.unreadCount(unreadCount)}`;
  const button = { type: "button", elementRef };
  return (
    <Part
      as="button"
      name="bell"
      aria-label={strings.notifications + label}
      aria-expanded={isExpanded}
      onClick={onClick}
      {...button}
      {...part}
    >
      <Icon path="M18 16V11a6 6 0 1 0-12 0v5l-2 2h16zM10 21h4" size={20} />
      {unreadCount > 0 && (
        <Part as="span" name="count" aria-hidden>
          {unreadCount}
          {hasMore && "+"}
        </Part>
      )}
    </Part>
  );
}

/** What {@link Inbox} is given. */
export interface InboxProps extends Omit<PartProps, "render"> {
  /** A notification was opened; the inbox is closed, and the notification read. */
  onOpen?: (notification: InboxNotification) => void;
  /** The side of the bell; below it when absent. */
  placement?: Placement;
  renderItem?: InboxListProps["renderItem"];
  /** Only notifications about a document. */
  documentId?: string;
}

/** A bell that opens the user's notifications, in a native popover. */
export function Inbox({ onOpen, placement, renderItem, documentId, className }: InboxProps): ReactNode {
  const strings = useStrings();
  const { notifications, isLoading, unreadCount, markRead, markAllRead, markSeen } = useInbox({ documentId });
  const titleId = useId();
  const bell = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isNative, setNative] = useState(false);
  useEffect(() => {
    const [button, element] = [bell.current, panel.current];
    if (!button || !element || typeof element.showPopover !== "function") return;
    setNative(true);
    // The browser opens and closes it, also by Escape and by a click elsewhere.
    element.setAttribute("popover", "auto");
    button.popoverTargetElement = element;
    const toggled = (event: Event): void => setOpen((event as ToggleEvent).newState === "open");
    element.addEventListener("toggle", toggled);
    return () => element.removeEventListener("toggle", toggled);
  }, []);
  useEffect(() => {
    const [button, element] = [bell.current, panel.current];
    if (!isOpen || !button || !element) return;
    element.focus();
    return follow(element, button, placement);
  }, [isOpen, placement]);
  // Without a connection it is seen once more, later.
  useEffect(() => void (isOpen && markSeen().catch(() => {})), [isOpen, markSeen]);
  const close = (): void => {
    if (isNative) panel.current?.hidePopover();
    else setOpen(false);
    bell.current?.focus();
  };
  const arrival = useArrival(
    notifications,
    isLoading,
    ({ id }) => id,
    (it) => (it.isRead ? undefined : strings.notificationArrived(headlineText(it, strings.you))),
  );
  const opened = (notification: InboxNotification): void => {
    close();
    onOpen?.(notification);
  };
  const unread = notifications.filter(({ isRead }) => !isRead).map(({ id }) => id);
  return (
    <Part as="span" name="inbox" className={className}>
      <BellButton
        elementRef={bell}
        isExpanded={isOpen}
        onClick={isNative ? undefined : () => setOpen(!isOpen)}
        documentId={documentId}
      />
      <Part
        name="inbox-panel"
        elementRef={panel}
        role="dialog"
        aria-labelledby={titleId}
        tabIndex={-1}
        hidden={!isNative && !isOpen}
        onKeyDown={(event) => event.key === "Escape" && close()}
      >
        <Part name="inbox-head">
          <Part as="span" name="inbox-title" id={titleId}>
            {strings.notifications}
          </Part>
          {unreadCount > 0 && (
            <Button name="action" onClick={() => void (documentId === undefined ? markAllRead() : markRead(unread))}>
              {strings.markAllRead}
            </Button>
          )}
        </Part>
        {isOpen && <InboxList onOpen={opened} renderItem={renderItem} documentId={documentId} />}
      </Part>
      <Announcer>{arrival}</Announcer>
    </Part>
  );
}
