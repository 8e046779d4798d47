import { createInstance } from 'i18next';
import { expect, test } from 'vitest';
import { SETUP_CODES, type SetupCheck, type SetupFinding } from '#common/model/setup-test.ts';
import { findingText } from '../features/setup/finding-text.ts';
import { ui as de } from '#common/languages/de/ui.ts';
import { later } from '#common/languages/en/later.ts';
import { ui as en } from '#common/languages/en/ui.ts';

const VALUES = { host: 'h', address: 'a', card: 'c', port: 8090, ms: 2, free: 8091, program: 'p', pid: 7, reason: 'r' };
const findings = Object.entries(SETUP_CODES).flatMap(([check, codes]) =>
  codes.map((code): SetupFinding => ({ check: check as SetupCheck, code, ok: false, values: VALUES })),
);

test.each([
  ['en', { ...en, ...later }],
  ['de', de],
] as const)('every code of the server has a text in %s, with every value filled in', async (lng, translation) => {
  const i18n = createInstance();
  await i18n.init({ lng, resources: { [lng]: { translation } }, interpolation: { escapeValue: false } });
  for (const finding of findings) {
    const { title, help } = findingText(i18n.t, finding);
    for (const text of [title, help]) {
      expect(text, `${finding.check} ${finding.code}`).toMatch(/ /);
      expect(text).not.toContain('{{');
    }
  }
});
