import type { ReactNode } from "react";

import { useOthers, useUser } from "../react/people.js";
import { h } from "../react/react.js";
import { Part, type PartProps, useStrings } from "./part.js";

/** What {@link Avatar} is given. */
export interface AvatarProps extends PartProps {
  userId: string;
  /** Whether the name is beside it: then it is not said twice. */
  isDecorative?: boolean;
}

/** The picture of somebody, or the first letters of their name. */
export function Avatar({ userId, isDecorative = false, ...part }: AvatarProps): ReactNode {
  const { name, avatarUrl, color } = useUser(userId);
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : ""].map((it) => [...(it ?? "")][0] ?? "").join("");
  const said = isDecorative ? { "aria-hidden": true } : { role: "img", "aria-label": name };
  return (
    <Part as="span" name="avatar" title={name} {...(color && { style: { borderColor: color } })} {...said} {...part}>
      {avatarUrl === undefined ? letters.toUpperCase() : <img src={avatarUrl} alt="" loading="lazy" />}
    </Part>
  );
}

/** What {@link AvatarStack} is given. */
export interface AvatarStackProps extends PartProps {
  /** How many are shown at most; 5 when absent. */
  max?: number;
  /** Who is shown; everybody else in the room when absent. */
  userIds?: readonly string[];
}

/** Who is here. */
export function AvatarStack({ max = 5, userIds, ...part }: AvatarStackProps): ReactNode {
  const strings = useStrings();
  const others = useOthers((all) => all.map(({ userId }) => userId));
  const ids = userIds ?? others;
  const rest = ids.length - max;
  if (ids.length === 0) return null;
  return (
    <Part as="ul" name="avatars" aria-label={strings.people} {...part}>
      {ids.slice(0, max).map((id) => (
        <li key={id}>
          <Avatar userId={id} />
        </li>
      ))}
      {rest > 0 && (
        <li>
          <Part as="span" name="avatar" role="img" aria-label={strings.morePeople(rest)}>
            +{rest}
          </Part>
        </li>
      )}
    </Part>
  );
}
