import { expect, test } from 'vitest';
import { actsOf, type MethodAndAudit } from '#common/contract/audited.ts';
import { CONTRACT } from '#common/contract/contract.ts';
import { ui as de } from '#common/languages/de/ui.ts';
import { acts as english } from '#common/languages/en/ui/acts.ts';

/** Actions of the host itself, which do not come from a call of the contract. */
const ACTS_OF_THE_HOST = [
  'audit.key',
  'call.refused',
  'journal.prune',
  'journal.takeover',
  'journal.tampered',
  'journal.unproven',
  'pipeline.quarantine',
];

const declared = new Set(
  Object.values(CONTRACT).flatMap((area) => Object.values(area).flatMap((call: MethodAndAudit) => [...actsOf(call)])),
);
// Rows of tests have their own type, whose text is `journal.test`.
declared.delete('test');

function namesOf(acts: object, prefix = ''): string[] {
  return Object.entries(acts).flatMap(([name, value]) =>
    typeof value === 'string' ? [prefix + name] : namesOf(value as object, `${prefix}${name}.`),
  );
}

test.each([
  ['English', english],
  ['German', de.acts],
])('every act of the contract and of the host has a text in %s, and no text is left over', (_, acts) => {
  expect(namesOf(acts).toSorted()).toEqual([...declared, ...ACTS_OF_THE_HOST].toSorted());
});
