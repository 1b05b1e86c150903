import type { HTMLAttributes, ReactNode } from "react";

import { createContext, h, useContext } from "../react/react.js";
import { type Strings, en } from "./strings.js";

/** Attributes of the element of a part, with what is in it. */
export type PartAttributes = HTMLAttributes<HTMLElement> & { [name: `data-${string}`]: unknown };

/** What every part takes. */
export interface PartProps {
  /** Beside the class of the part. */
  className?: string | undefined;
  /** Shows the part by another element, which is given the attributes and the children of its own. */
  render?: ((attributes: PartAttributes) => ReactNode) | undefined;
}

interface Ui {
  strings: Strings;
  locale: string | undefined;
  classOf: ((part: string) => string | undefined) | undefined;
}

const UiContext = createContext<Ui>({ strings: en, locale: undefined, classOf: undefined });
const StyledContext = createContext(false);

/** What `<RoundtableUi>` is given. */
export interface RoundtableUiProps {
  /** The words of the parts; English when absent. Some may be others: `{ ...en, send: "Go" }`. */
  strings?: Strings | undefined;
  /** The language of times, such as `de`; that of the browser when absent. */
  locale?: string | undefined;
  /** Further classes of the elements of parts, by their names, such as `comment-body`. */
  classOf?: ((part: string) => string | undefined) | undefined;
  children?: ReactNode;
}

/** Gives the parts below it their words. Without it they are English. */
export function RoundtableUi({ strings = en, locale, classOf, children }: RoundtableUiProps): ReactNode {
  return <UiContext.Provider value={{ strings, locale, classOf }}>{children}</UiContext.Provider>;
}

/** The words of the parts. */
export function useStrings(): Strings {
  return useContext(UiContext).strings;
}

/** The language of times. */
export function useLocale(): string | undefined {
  return useContext(UiContext).locale;
}

/** The part with the classes of the stylesheet, and all parts in it. */
export function styled<P extends object>(Part: (props: P) => ReactNode): (props: P) => ReactNode {
  return (props) => (
    <StyledContext.Provider value={true}>
      <Part {...props} />
    </StyledContext.Provider>
  );
}

/** A function that gives elements of parts their classes. */
export function useClasses(): (part: string, own?: string) => string | undefined {
  const isStyled = useContext(StyledContext);
  const { classOf } = useContext(UiContext);
  return (part, own) => {
    const classes = [isStyled && `rt-${part}`, classOf?.(part), own].filter(Boolean);
    return classes.length > 0 ? classes.join(" ") : undefined;
  };
}

/** What {@link Part} is given: attributes of its element, and those of {@link PartProps}. */
type PartElementProps = PartProps & PartAttributes & { as?: string; name: string; elementRef?: unknown };

/** The element of a part. */
export function Part({ as = "div", name, className, render, elementRef, ...attributes }: PartElementProps): ReactNode {
  const classes = useClasses();
  const given = { ...attributes, className: classes(name, className) };
  if (render) return render(given as PartAttributes);
  const ref = elementRef === undefined ? {} : { ref: elementRef };
  return h(as, { ...given, ...ref });
}

/** A drawing; fonts of a machine may have no sign for it. */
export function Icon({ path, size = 16 }: { path: string; size?: number }): ReactNode {
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" fill="none" stroke="currentColor">
      <path d={path} strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}

/** What only screen readers find; it holds without a stylesheet. */
const UNSEEN = {
  position: "absolute",
  width: 1,
  height: 1,
  margin: -1,
  overflow: "hidden",
  clipPath: "inset(50%)",
  whiteSpace: "nowrap",
} as const;

/** Says something to screen readers when it changes. */
export function Announcer({ children }: { children: ReactNode }): ReactNode {
  return (
    <span role="status" aria-live="polite" style={UNSEEN}>
      {children}
    </span>
  );
}
