/**
 * A button is disabled while its request runs, and a browser takes the focus from a disabled element: in a dialog, the
 * next Tab would lead out. Such a button gets its focus back as soon as it is enabled again, unless the user did
 * something else meanwhile. Chromium 150 takes the focus at once, before an observer sees the change; 156 later.
 */
export function keepFocusOfDisabled(page: Document): void {
  let lost: HTMLElement | null = null;
  const forget = () => (lost = null);
  for (const act of ['keydown', 'pointerdown', 'focusin']) page.addEventListener(act, forget, { capture: true });
  page.addEventListener('focusout', ({ target }) => {
    if (target instanceof HTMLElement && target.hasAttribute('disabled')) lost = target;
  });
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      if (!(target instanceof HTMLElement)) continue;
      const isDisabled = target.hasAttribute('disabled');
      if (isDisabled && target === page.activeElement) lost = target;
      if (!isDisabled && target === lost) {
        forget();
        if (page.activeElement === page.body || page.activeElement === target) target.focus();
      }
    }
  }).observe(page, { subtree: true, attributeFilter: ['disabled'] });
}
