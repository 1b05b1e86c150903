import type { ReactNode } from "react";

import type { ApiError } from "../errors.js";
import { h } from "../react/react.js";
import { Part, useStrings } from "./part.js";

/** Why something failed, for people: of a reply of the service its sentence, without the names in front of it. */
export function reasonOf(error: Error): string {
  return (error as Partial<ApiError>).text ?? error.message;
}

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
        {strings.cannotRead} {reasonOf(error)}
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
