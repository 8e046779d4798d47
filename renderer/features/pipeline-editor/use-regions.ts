import { useCallback, useRef } from 'react';

/**
 * F6 moves the focus to the next region, Shift+F6 to the previous one: header, palette, canvas, settings, dock. A
 * region is an element with `data-region`; the focus moves to its last focused element, else to the element with
 * `data-region-start`, else to its first control.
 */
const FOCUSABLE =
  'button:not([disabled]), a[href], input:not([disabled]), select:not([disabled]), textarea, [tabindex]:not([tabindex="-1"])';

export function useRegions(): (root: HTMLElement | null) => (() => void) | undefined {
  const last = useRef(new WeakMap<Element, HTMLElement>());
  return useCallback((root: HTMLElement | null) => {
    if (root === null) return undefined;
    const regions = () =>
      [...root.querySelectorAll<HTMLElement>('[data-region]')].filter((one) =>
        one.checkVisibility({ visibilityProperty: true }),
      );
    const remember = ({ target }: FocusEvent) => {
      const region = target instanceof HTMLElement ? target.closest('[data-region]') : null;
      if (region !== null && target instanceof HTMLElement) last.current.set(region, target);
    };
    const move = (event: KeyboardEvent) => {
      if (event.key !== 'F6') return;
      event.preventDefault();
      const all = regions();
      const here = all.findIndex((region) => region.contains(document.activeElement));
      const next = all[(here + (event.shiftKey ? -1 : 1) + all.length) % all.length];
      if (next !== undefined) enter(next, last.current.get(next));
    };
    root.addEventListener('focusin', remember);
    document.addEventListener('keydown', move);
    return () => {
      root.removeEventListener('focusin', remember);
      document.removeEventListener('keydown', move);
    };
  }, []);
}

function enter(region: HTMLElement, before: HTMLElement | undefined): void {
  const start =
    region.querySelector<HTMLElement>('[data-region-start]') ?? region.querySelector<HTMLElement>(FOCUSABLE);
  const target = before?.isConnected && region.contains(before) ? before : start;
  (target ?? region).focus();
}
