import type { ReactNode } from "react";

import { h } from "../react/react.js";
import { Part, useStrings } from "./part.js";

/** Instead of a list: it is read, cannot be read, or is empty. */
export function ListState({
  isLoading,
  error,
  isEmpty,
  empty,
}: {
  isLoading: boolean;
  error: Error | undefined;
  isEmpty: boolean;
  empty: string;
}): ReactNode {
  const strings = useStrings();
  if (error)
    return (
      <Part as="p" name="error" role="alert">
        {strings.cannotRead} {error.message}
      </Part>
    );
  if (isLoading)
    return (
      <Part as="p" name="loading" role="status">
        {strings.loading}
      </Part>
    );
  if (!isEmpty) return null;
  return (
    <Part as="p" name="empty">
      {empty}
    </Part>
  );
}

/** A button with a class. */
export function Button({
  name = "button",
  onClick,
  children,
  ...attributes
}: {
  name?: string;
  onClick: () => void;
  children: ReactNode;
  "aria-label"?: string;
  "aria-pressed"?: boolean;
  "aria-expanded"?: boolean;
  elementRef?: unknown;
  title?: string;
  disabled?: boolean;
}): ReactNode {
  const button = { type: "button", ...attributes };
  return (
    <Part as="button" name={name} onClick={onClick} {...button}>
      {children}
    </Part>
  );
}
