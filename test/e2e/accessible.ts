import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright';
import { expect } from 'vitest';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];
/** The version that belongs to AxeBuilder, minified. */
const axeFile = createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js');
const AXE = readFileSync(axeFile, 'utf8');

/**
 * Serious or critical findings of axe on the page in its current state, in light and in dark; and targets of less than
 * 44 px (ui.md). Links within a sentence may have the height of their line.
 */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(() => new Promise(requestAnimationFrame));
    const { violations } = await axe(page, colorScheme).analyze();
    const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    const told = grave.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' | ')}`,
    );
    expect(told, `${name}, ${colorScheme}`).toEqual([]);
  }
  expect(await smallTargets(page), `${name}, targets under 44 px`).toEqual([]);
}

/**
 * Between the schemes only colours change: for the second, the contrast rules are enough. Legacy mode skips frames,
 * which the UI does not have (its policy forbids them), and thus a second page per check, which took half of the time.
 * Half of the rest was spent on loading the library twice per scheme, and on the list of passed rules.
 * No rule of RULES reads style sheets (those that do are experimental), so axe does not parse them: an eighth of a run.
 */
function axe(page: Page, colorScheme: 'light' | 'dark'): AxeBuilder {
  const alreadyThere = '0';
  const builder = new AxeBuilder({ page, axeSource: alreadyThere })
    .setLegacyMode()
    .options({ resultTypes: ['violations'], preload: { assets: ['media'] } });
  return colorScheme === 'light' ? builder.withTags(RULES) : builder.withRules(['color-contrast']);
}

function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const wanted = 'button, select, input:not([type=hidden]), textarea, [role=button], [role=tab], [role=menuitem]';
    const small: string[] = [];
    for (const element of document.querySelectorAll<HTMLElement>(wanted)) {
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      // A checkbox is as large as the label that toggles it.
      const ticking = element instanceof HTMLInputElement && element.type === 'checkbox' ? element.labels?.[0] : null;
      const target = ticking ?? element.closest('label') ?? element;
      const { width, height } = target.getBoundingClientRect();
      if (width === 0 || height === 0) continue;
      if (width < 43.5 || height < 43.5)
        small.push(`${Math.round(width)}×${Math.round(height)} ${element.outerHTML.slice(0, 160)}`);
    }
    return small;
  });
}
