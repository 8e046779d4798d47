import { z } from 'zod';
import { CALLS } from '../capabilities/calls.ts';
import { tagPath } from '../model/tag.ts';
import { declareCall } from './declaration.ts';
import { listOf } from './records.ts';
import { expected } from '../errors/rules.ts';
import { wholeFrom } from '../model/bounds.ts';

/**
 * Recorded values for display: enough for a chart, but limited so that a page does not delay the callers of the
 * gateway. Pipelines query the historian directly, with separate limits.
 */
const TAGS_MAX = 8;
const POINTS_PER_TAG_MAX = 5_000;

const { from, to, aggregate, interval } = CALLS['historian.query'].args.shape;
const series = CALLS['historian.query'].returns.element.shape;
const point = z.strictObject(series.points.element.shape);

export const historyContract = {
  read: declareCall({
    method: 'post',
    path: '/projects/:project/tags/history',
    access: 'view',
    audit: { none: 'Reads recorded values.' },
    summary: 'Read recorded values',
    description:
      'Reads recorded values of up to eight tags, either raw or aggregated into one value per interval of seconds.',
    body: z.strictObject({
      tags: z
        .array(tagPath, { error: expected('list_of', { of: 'tag paths' }) })
        .min(1, expected('one_at_least', { of: 'tag' }))
        .max(TAGS_MAX, expected('count_max', { max: TAGS_MAX, of: 'tags' })),
      from,
      to,
      aggregate,
      interval,
      limit: wholeFrom('points', 1, POINTS_PER_TAG_MAX)
        .default(POINTS_PER_TAG_MAX)
        .describe('Points of one tag at most.'),
    }),
    response: listOf(z.strictObject({ ...series, points: z.array(point) })),
  }),
};
