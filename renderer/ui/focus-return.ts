import { useEffect, useRef, useState, type RefObject } from 'react';

/** The last focused element outside a dialog or a menu. */
let onThePage: HTMLElement | null = null;

/** Started once, before the first dialog. */
export function followFocus(page: Document): void {
  page.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && target.closest('[role=dialog], [role=menu]') === null) onThePage = target;
  });
}

/**
 * Returns the focus to its place before a dialog opened, once the dialog is closed: keyboard users continue there and
 * not at the top of the page. Mantine's own return needs a dialog that remains mounted while it is closed.
 */
export function useFocusReturn(): void {
  const [before] = useState(waysBack);
  useEffect(
    () => () => {
      // The next page or dialog may have taken the focus by then, and keeps it.
      setTimeout(() => {
        if (hasFocus()) return;
        before.find((one) => one.isConnected && one.checkVisibility())?.focus();
      });
    },
    [before],
  );
}

/**
 * For the heading of a page: users who arrive by a button or a link that was removed with the previous page continue
 * here, and not at the top. A field that the page was opened for keeps the focus, and so does a link that remains, as
 * in the rail.
 */
export function useHeadingFocus(): RefObject<HTMLHeadingElement | null> {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!hasFocus() && onThePage?.isConnected === false) ref.current?.focus();
  }, []);
  return ref;
}

/** The nearest first: a dialog above another one returns to that. A menu is closed together with its selection. */
function waysBack(): HTMLElement[] {
  const stays = (one: Element | null) =>
    one instanceof HTMLElement && one !== document.body && one.closest('[role=menu]') === null;
  return [document.activeElement, onThePage].filter((one): one is HTMLElement => stays(one));
}

const hasFocus = () => document.activeElement !== null && document.activeElement !== document.body;
