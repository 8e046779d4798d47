import { tagPattern } from '#common/model/tag.ts';
import { defineKind, textList, z } from '#sdk';
import { createTagChange } from './changes.ts';
import { expected } from '#common/errors/rules.ts';

const TAGS_MAX = 200;
const DEADBAND_EXPECTED = expected('number_min', { what: 'a number', min: 0 });

const settings = z.strictObject({
  tags: textList
    .pipe(
      z
        .array(tagPattern)
        .min(1, expected('one_at_least', { of: 'tag' }))
        .max(TAGS_MAX, expected('count_max', { max: TAGS_MAX, of: 'tags' })),
    )
    .meta({
      title: 'Tags',
      control: 'tag',
      description:
        'Paths such as line7/filler/speed. "*" matches any characters of a name, "**" at the end everything ' +
        'below a folder.',
    }),
  deadband: z
    .number({ error: DEADBAND_EXPECTED })
    .min(0, DEADBAND_EXPECTED)
    .max(Number.MAX_VALUE, DEADBAND_EXPECTED)
    .default(0)
    .meta({
      title: 'Deadband',
      description:
        'A number starts a run only if it differs by more than this from the value that started the last run.',
    }),
});

/** A payload for the example. */
const fallen = {
  tag: 'line7/filler/level',
  value: 41.5,
  quality: 'good',
  reason: null,
  time: '2026-03-01T06:00:00.000Z',
  unit: '%',
  previous: 42.5,
};

export const tagChange = defineKind({
  id: 'tag-change',
  version: '1.0.0',
  title: 'On tag change',
  summary: 'Starts a run when the value or the quality of a tag changes.',
  category: 'plant',
  input: false,
  settings,
  scopes: ['tag:read'],
  examples: [
    {
      title: 'A level that has fallen',
      settings: { tags: ['line7/filler/level'], deadband: 0.5 },
      payload: fallen,
      expect: { port: 'out', payload: fallen },
    },
  ],
  create: createTagChange,
});
