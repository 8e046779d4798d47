import type { Page } from 'playwright';

/** Buttons, links and fields of `place` that are cut, outside of it, or covered. */
export const outOfSight = (page: Page, place: string): Promise<string[]> =>
  page.evaluate((inside) => {
    // Bars that cover a scrolling page are above this edge.
    const top = document.querySelector(inside)?.getBoundingClientRect().top ?? 0;
    const acts = [...document.querySelectorAll<HTMLElement>(`${inside} :is(button, a, input, select)`)]
      .filter((one) => one.checkVisibility({ visibilityProperty: true }))
      .map((one) => ({ one, at: one.getBoundingClientRect() }))
      .filter(({ at }) => at.width > 2 && at.top >= top && at.bottom <= innerHeight)
      // A row that its list has scrolled away comes back by scrolling.
      .filter(({ one, at }) => {
        const list = one.closest('.virtual-table')?.getBoundingClientRect();
        return list === undefined || (at.top >= list.top && at.bottom <= list.bottom);
      });
    const cut = ({ one, at }: (typeof acts)[number]) => {
      const cell = one.closest('td, header, .editor-bar')?.getBoundingClientRect();
      return at.right > innerWidth || at.left < 0 || (cell && (at.right > cell.right + 1 || at.left < cell.left - 1));
    };
    const hidden = ({ one, at }: (typeof acts)[number]) => {
      const over = document.elementFromPoint(at.left + at.width / 2, at.top + at.height / 2);
      return over !== null && !one.contains(over) && !over.contains(one) && over.closest('label, thead') === null;
    };
    return acts.filter((act) => cut(act) || hidden(act)).map(({ one }) => one.ariaLabel ?? one.innerText);
  }, place);

/** Parts of the page that have to be scrolled sideways. */
export const sideways = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main, main .scroll, main .virtual-table')]
      .filter((one) => one.scrollWidth > one.clientWidth)
      .map((one) => `${one.className} ${one.scrollWidth} in ${one.clientWidth}`),
  );
