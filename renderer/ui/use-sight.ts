import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { rowsInSight, type RowPlaces, type Sight } from './rows-in-sight.ts';

/** The visible rows in a scrolling element. Changes only when other rows become visible. */
export function useSight(places: RowPlaces): [place: RefObject<HTMLDivElement | null>, sight: Sight] {
  const place = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ firstRow: 0, height: 0 });
  useLayoutEffect(() => {
    const { current: element } = place;
    if (element === null) return undefined;
    const look = () => {
      const next = { firstRow: places.rowAt(element.scrollTop), height: element.clientHeight };
      setView((before) => (before.firstRow === next.firstRow && before.height === next.height ? before : next));
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    const watch = new ResizeObserver(look);
    watch.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      watch.disconnect();
    };
  }, [places]);
  return [place, rowsInSight(places, view)];
}
