import type { Page } from 'playwright';

interface Counting {
  clicks: number;
}

/**
 * Counts the presses of the mouse or a finger on this page from now on, until it is loaded again; choosing from a list
 * counts as two. Returns a function that reads the number.
 */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counting = Object.assign(globalThis, { clicks: 0 });
    // Enter on a button is a click without a pointer.
    addEventListener('click', ({ isTrusted, detail }) => (counting.clicks += isTrusted && detail > 0 ? 1 : 0), true);
    addEventListener('change', ({ target }) => (counting.clicks += target instanceof HTMLSelectElement ? 2 : 0), true);
  });
  return () => page.evaluate(() => (globalThis as unknown as Counting).clicks);
}
