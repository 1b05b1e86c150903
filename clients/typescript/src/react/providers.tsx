import type { ReactNode } from "react";

import { RoundtableStore, type StoreOptions } from "../store/store.js";
import { RoomContext, StoreContext, useRoundtable } from "./context.js";
import { h, useEffect, useMemo, useState } from "./react.js";
import { isShallowEqual, useReadable, useUsed } from "./select.js";

/** What `<Roundtable>` is given: the options of a store, or a store. */
export type RoundtableProps = { children?: ReactNode } & (StoreOptions | { store: RoundtableStore });

/**
 * Connects a user with an organization, for everything below. It connects when it is mounted, once also
 * in Strict Mode, and ends two seconds after it is gone. Another service, organization or user is another
 * connection; functions may change with each render.
 *
 * ```tsx
 * <Roundtable baseUrl={url} organizationId="acme" userId={me} getToken={getToken} resolveUsers={findUsers}>
 *   <Room documentId="welcome" fallback={<p>Loading …</p>}><Page /></Room>
 * </Roundtable>
 * ```
 */
export function Roundtable({ children, ...props }: RoundtableProps): ReactNode {
  const store = useStoreOf(props);
  const options = "store" in props ? undefined : props;
  useEffect(() => {
    if (options) store.update(options);
  });
  useUsed(store);
  return <StoreContext.Provider value={store}>{children}</StoreContext.Provider>;
}

/** The same store until it has to be another one. To make one does nothing. */
function useStoreOf(props: StoreOptions | { store: RoundtableStore }): RoundtableStore {
  const given = "store" in props ? props.store : undefined;
  const key =
    "store" in props ? "" : JSON.stringify([props.baseUrl, props.liveUrl, props.organizationId, props.userId]);
  const make = (): { key: string; store: RoundtableStore } => ({
    key,
    store: "store" in props ? props.store : new RoundtableStore(props),
  });
  const [held, setHeld] = useState(make);
  if (held.key === key && (given === undefined || held.store === given)) return held.store;
  const next = make();
  setHeld(next);
  return next.store;
}

/** What a `<Room>` shows while its threads cannot be shown. */
export type RoomFallback = ReactNode | ((state: { error: Error | undefined }) => ReactNode);

/** What `<Room>` is given. */
export interface RoomProps {
  documentId: string;
  /**
   * Shown until the threads are read, on a server too, in place of the children. Editors with comments need
   * it: they take a thread that is not read for one that is gone. A function is told why threads cannot be
   * read. When absent, children are shown at once.
   */
  fallback?: RoomFallback;
  children?: ReactNode;
}

/** Follows a document, and shows the user in it, for everything below. */
export function Room({ documentId, fallback, children }: RoomProps): ReactNode {
  const store = useRoundtable();
  const room = useMemo(() => store.room(documentId), [store, documentId]);
  useUsed(room);
  const { isLoading, error } = useReadable(room.threads, gateOf, isShallowEqual);
  const isShown = fallback === undefined || (!isLoading && !error);
  const instead = typeof fallback === "function" ? fallback : () => fallback;
  return <RoomContext.Provider value={room}>{isShown ? children : instead({ error })}</RoomContext.Provider>;
}

function gateOf({ isLoading, error }: { isLoading: boolean; error: Error | undefined }) {
  return { isLoading, error };
}
