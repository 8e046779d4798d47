import { AGGREGATES, moment } from '#common/capabilities/calls.ts';
import {
  attempt,
  defineKind,
  fillTagRef,
  fillTemplate,
  intoField,
  type Message,
  nameTemplateField,
  type NodeInstance,
  type Outcome,
  parseTagRef,
  type Run,
  textList,
  writeInto,
  z,
} from '#sdk';
import { expected } from '#common/errors/rules.ts';

const TAGS_MAX = 100;
const TAGS_EXPECTED = expected('range', { what: 'tags', from: 1, to: TAGS_MAX });
const LIMIT_EXPECTED = expected('range', { what: 'points', from: 1, to: 100_000 });
const INTERVAL_EXPECTED = expected('number_min', { what: 'seconds', min: 0 });

/**
 * A template, such as `now-{{payload.query.hours}}h`, which is checked with each call; a fixed text is checked here.
 */
const momentField = (title: string, description: string) =>
  nameTemplateField(moment).meta({ title, description, control: 'template' });

const settings = z.strictObject({
  tags: textList
    .transform((entries, context) =>
      entries.map((text) => attempt(() => parseTagRef(text, { patterns: true }), context)),
    )
    .refine((list) => list.length >= 1 && list.length <= TAGS_MAX, TAGS_EXPECTED)
    .meta({
      title: 'Tags',
      control: 'tag',
      description:
        'Paths such as line7/filler/speed; "*" matches any characters of a name. May contain {{payload.…}}; a "*" from ' +
        'the message is refused.',
    }),
  from: momentField('From', 'Start of the range: now-8h (s, m, h, d) or RFC 3339. May contain {{payload.…}}.'),
  to: nameTemplateField(moment).prefault('now').meta({
    title: 'To',
    control: 'template',
    description: 'End of the range (exclusive). May contain {{payload.…}}.',
  }),
  aggregate: z
    .enum(AGGREGATES, { error: expected('one_of', { values: AGGREGATES }) })
    .default('raw')
    .meta({
      title: 'Aggregate',
      description: 'raw returns the recorded points; every other aggregate returns one value per interval.',
    }),
  interval: z.number({ error: INTERVAL_EXPECTED }).min(0, INTERVAL_EXPECTED).default(0).meta({
    title: 'Interval',
    control: 'seconds',
    description: 'Length of an interval in seconds; 0 = one value for the whole range.',
  }),
  limit: z
    .int({ error: LIMIT_EXPECTED })
    .min(1, LIMIT_EXPECTED)
    .max(100_000, LIMIT_EXPECTED)
    .default(10_000)
    .meta({ title: 'Limit', more: true, description: 'Maximum number of points per tag.' }),
  into: intoField,
});

type Settings = z.output<typeof settings>;

const speed = (points: { time: string; value: number; quality: 'good' }[]) => [
  { tag: 'line7/filler/speed', unit: 'bottles/h', points, truncated: false },
];
const shift = speed([{ time: '2026-03-02T06:00:00.000Z', value: 11840.5, quality: 'good' }]);

export const historyRead = defineKind({
  id: 'history-read',
  version: '1.0.0',
  title: 'Read history',
  summary: 'Reads recorded values of tags, raw or as one value per interval.',
  category: 'plant',
  settings,
  scopes: ['hist:read'],
  examples: [
    {
      title: 'The mean speed of the last eight hours',
      settings: { tags: ['line7/filler/speed'], from: 'now-8h', aggregate: 'timeWeightedMean' },
      payload: { query: {} },
      answers: { 'historian.query': shift },
      expect: { port: 'out', payload: { query: {}, result: shift } },
    },
    {
      title: 'A tag and a range from the caller, into the body',
      settings: {
        tags: ['{{payload.params.line}}/filler/speed'],
        from: '{{payload.query.from}}',
        to: '{{payload.query.to}}',
        aggregate: 'max',
        interval: 3600,
        into: 'payload.body',
      },
      payload: {
        params: { line: 'line7' },
        query: { from: '2026-03-02T06:00:00Z', to: '2026-03-02T14:00:00Z' },
      },
      answers: { 'historian.query': shift },
      expect: {
        port: 'out',
        payload: {
          params: { line: 'line7' },
          query: { from: '2026-03-02T06:00:00Z', to: '2026-03-02T14:00:00Z' },
          body: shift,
        },
      },
    },
    {
      title: 'A caller without a time gets an error',
      settings: { tags: ['line7/filler/speed'], from: '{{payload.query.from}}' },
      payload: { query: {} },
      answers: { 'historian.query': [] },
      expect: { error: 'call_invalid' },
    },
  ],
  create: createHistoryRead,
});

function createHistoryRead(given: Settings): NodeInstance {
  return { run: (message, run) => read(given, message, run) };
}

async function read(given: Settings, message: Message, run: Run): Promise<Outcome> {
  const { aggregate, interval, limit } = given;
  const series = await run.capabilities.call('historian.query', {
    tags: given.tags.map((ref) => fillTagRef(ref, message)),
    from: fillTemplate(given.from, message),
    to: fillTemplate(given.to, message),
    aggregate,
    interval,
    limit,
  });
  return { port: 'out', message: writeInto(message, given.into, series) };
}
