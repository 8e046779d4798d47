import { useEffect, useRef, type RefObject } from 'react';

/** For the field that a page was opened for, or its heading: it gets the initial focus. */
export function useFirstFocus<T extends HTMLElement>(): RefObject<T | null> {
  const ref = useRef<T>(null);
  useEffect(() => ref.current?.focus(), []);
  return ref;
}
