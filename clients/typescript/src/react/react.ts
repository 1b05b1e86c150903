import { type JSX as ReactJsx, createElement } from "react";

// What the kit has of React. A bundle has a statement for each module that imports React, which is none of its own
// format: this is the only one, and elements are made here as well.

export {
  Fragment,
  Suspense,
  createContext,
  memo,
  useCallback,
  useContext,
  useDebugValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";

/** Makes an element: what the compiler writes for `<…>`. */
export const h = createElement;

// The types of `<…>`.
export declare namespace h {
  namespace JSX {
    type ElementType = ReactJsx.ElementType;
    type Element = ReactJsx.Element;
    type ElementClass = ReactJsx.ElementClass;
    type ElementAttributesProperty = ReactJsx.ElementAttributesProperty;
    type ElementChildrenAttribute = ReactJsx.ElementChildrenAttribute;
    type LibraryManagedAttributes<Component, Props> = ReactJsx.LibraryManagedAttributes<Component, Props>;
    type IntrinsicAttributes = ReactJsx.IntrinsicAttributes;
    type IntrinsicClassAttributes<Of> = ReactJsx.IntrinsicClassAttributes<Of>;
    type IntrinsicElements = ReactJsx.IntrinsicElements;
  }
}
