import type { PointerEvent, ReactNode } from "react";

import { useBroadcast, useEvent } from "../react/broadcast.js";
import { useRoundtable } from "../react/context.js";
import { useOthers, useUser } from "../react/people.js";
import { h, useEffect, useRef, useState } from "../react/react.js";
import { Part, type PartProps } from "./part.js";
import { placeOf } from "./pin.js";

/** How often the pointer is told of at most. */
const EVERY_MS = 100;

/** Where a pointer is, as it is said: percent of the element, or nowhere. */
interface Pointer {
  /** Of which element. */
  cursors: string;
  x?: number;
  y?: number;
}

/** What {@link Cursors} is given. */
export interface CursorsProps extends Omit<PartProps, "render"> {
  /** Tells one element of a page from another. */
  id?: string;
  children?: ReactNode;
}

/** An element of a page, with the pointers of others who are in it. */
export function Cursors({ id = "", children, ...part }: CursorsProps): ReactNode {
  const { userId: me } = useRoundtable().options;
  // Who looks at another page points at nothing.
  const others = useOthers((all) => all.filter(({ status }) => status === "online").map(({ userId }) => userId));
  const say = useBroadcast<Pointer>();
  const [pointers, setPointers] = useState<Record<string, Pointer>>({});
  const next = useRef<Pointer>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEvent<Pointer | null>((said, userId) => {
    if (said?.cursors === id && userId !== me) setPointers((before) => ({ ...before, [userId]: said }));
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  const point = (at: Omit<Pointer, "cursors">): void => {
    next.current = { cursors: id, ...at };
    if (others.length === 0) return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      say(next.current as Pointer);
    }, EVERY_MS);
  };
  const move = ({ currentTarget, clientX, clientY }: PointerEvent): void => {
    const { left, right, top, width, height } = currentTarget.getBoundingClientRect();
    const isRtl = getComputedStyle(currentTarget).direction === "rtl";
    const x = isRtl ? right - clientX : clientX - left;
    point({ x: (x / width) * 100, y: ((clientY - top) / height) * 100 });
  };
  return (
    <Part name="cursors" style={{ position: "relative" }} onPointerMove={move} onPointerLeave={() => point({})} {...part}>
      {children}
      {others.map((userId) => (
        <Cursor key={userId} userId={userId} pointer={pointers[userId]} />
      ))}
    </Part>
  );
}

/** The pointer of somebody. Who is here is said elsewhere. */
function Cursor({ userId, pointer }: { userId: string; pointer: Pointer | undefined }): ReactNode {
  const { name, color } = useUser(userId);
  const place = placeOf(pointer?.x, pointer?.y);
  return (
    place && (
      <Part as="span" name="cursor" aria-hidden style={{ ...place, pointerEvents: "none", borderColor: color }}>
        {name}
      </Part>
    )
  );
}
