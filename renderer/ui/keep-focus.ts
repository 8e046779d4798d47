/**
 * A button is disabled while what it began is under way, and a browser takes the focus from what is disabled: of a
 * dialog, the next Tab would lead out. Such a button has its focus back as soon as it can be pressed again, unless the
 * person did something else meanwhile.
 */
export function keepFocusOfDisabled(page: Document): void {
  let lost: HTMLElement | null = null;
  const forget = () => (lost = null);
  for (const act of ['keydown', 'pointerdown', 'focusin']) page.addEventListener(act, forget, { capture: true });
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
