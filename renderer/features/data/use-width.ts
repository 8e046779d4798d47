import { useLayoutEffect, useRef, useState, type RefObject } from 'react';

const STEP = 100;
const USUAL = 900;

/** The width of an element in px, rounded, so that resizing the window does not reload all data continuously. */
export function useWidth(): [ref: RefObject<HTMLDivElement | null>, width: number] {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(USUAL);
  useLayoutEffect(() => {
    const { current: element } = ref;
    if (element === null) return undefined;
    const measure = () => setWidth(Math.max(STEP, Math.round(element.clientWidth / STEP) * STEP));
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return [ref, width];
}
