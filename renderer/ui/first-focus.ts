import { useEffect, useRef, type RefObject } from 'react';

/** For the one field that a page was opened for, or its heading: it has the focus when the page appears. */
export function useFirstFocus<T extends HTMLElement>(): RefObject<T | null> {
  const ref = useRef<T>(null);
  useEffect(() => ref.current?.focus(), []);
  return ref;
}
