import { createInstance, type TFunction } from 'i18next';
import { expect, test } from 'vitest';
import { actsOf, type MethodAndAudit } from '#common/contract/audited.ts';
import { CONTRACT } from '#common/contract/contract.ts';
import { ui as de } from '#common/languages/de/ui.ts';
import { acts as english } from '#common/languages/en/ui/acts.ts';
import { actName } from '../features/journal/act-name.ts';

/** Actions of the host itself, which do not come from a call of the contract. */
const ACTS_OF_THE_HOST = [
  'audit.key',
  'call.refused',
  'edge.assign',
  'edge.expel',
  'edge.invite',
  'edge.join',
  'fleet.create',
  'fleet.join',
  'fleet.leave',
  'journal.prune',
  'journal.takeover',
  'journal.tampered',
  'journal.unproven',
  'key.exposed',
  'key.honey',
  'pipeline.quarantine',
];

const declared = new Set(
  Object.values(CONTRACT).flatMap((area) => Object.values(area).flatMap((call: MethodAndAudit) => [...actsOf(call)])),
);
// Rows of tests have their own type, whose text is `journal.test`.
declared.delete('test');
const acts = [...declared, ...ACTS_OF_THE_HOST];

async function translator(texts: object): Promise<TFunction> {
  const resources = { en: { ui: { acts: texts } } };
  return createInstance().init({ lng: 'en', defaultNS: 'ui', nsSeparator: false, resources });
}

function namesOf(texts: object, prefix = ''): string[] {
  return Object.entries(texts).flatMap(([name, value]) =>
    typeof value === 'string' ? [prefix + name] : namesOf(value as object, `${prefix}${name}.`),
  );
}

test.each([
  ['English', english],
  ['German', de.acts],
])('every action of the contract and of the host has a name in %s, and no name is unused', async (_, texts) => {
  const t = await translator(texts);
  expect(acts.filter((act) => actName(t, act) === act)).toEqual([]);
  const { objects, verbs, special } = texts;
  const specials = namesOf(special);
  const composed = acts.filter((act) => !specials.includes(act)).map((act) => act.split('.'));
  expect(specials.toSorted()).toEqual(acts.filter((act) => specials.includes(act)).toSorted());
  expect(new Set(composed.map(([object]) => object))).toEqual(new Set(Object.keys(objects)));
  expect(new Set(composed.map(([, verb]) => verb))).toEqual(new Set(Object.keys(verbs)));
});

test('an action is named by its object and verb, unless it has its own name', async () => {
  const t = await translator(english);
  expect(actName(t, 'key.create')).toBe('Key created');
  expect(actName(t, 'key.limit')).toBe('Limits of key changed');
  expect(actName(t, 'setup')).toBe('Sluice set up');
  expect(actName(t, 'key.unknown')).toBe('key.unknown');
  expect(actName(t, 'session')).toBe('session');
});
