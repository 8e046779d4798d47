import { z } from 'zod';
import { expected, ruleIssue } from '../errors/rules.ts';
import { numberFrom, textUpTo, wholeFrom } from './bounds.ts';
import { tagPath } from './tag-path.ts';

/**
 * Limits of the writes of a tag (docs/spec/nodes.md#write-limits). They apply to every write of the
 * tag, for every caller. Limits: CONDITIONS_MAX conditions, WRITES_PER_SECOND_MAX.
 */
export const CONDITIONS_MAX = 8;
const WRITES_PER_SECOND_MAX = 1_000;
const CONDITION_SECONDS_MAX = 86_400;
const CONDITION_TEXT_MAX = 200;

export const COMPARISONS = ['=', '!=', '<', '>'] as const;

const NUMBER_EXPECTED = expected('number');
const number = z
  .number({ error: NUMBER_EXPECTED })
  .min(-Number.MAX_VALUE, NUMBER_EXPECTED)
  .max(Number.MAX_VALUE, NUMBER_EXPECTED);
const VALUE_EXPECTED = expected('type', { type: 'number, string or boolean' });

/** Another tag that has to be good and, if they are given, have the compared value and be young enough. */
const writeCondition = z
  .strictObject({
    tag: tagPath.meta({ title: 'Tag' }),
    is: z
      .enum(COMPARISONS, { error: expected('one_of', { values: COMPARISONS }) })
      .optional()
      .meta({ title: 'Comparison', description: 'Without one, any value of good quality fits.' }),
    value: z
      .union([number, z.boolean(), textUpTo(CONDITION_TEXT_MAX)], { error: VALUE_EXPECTED })
      .optional()
      .meta({ title: 'Value' }),
    maxAge: numberFrom('seconds', 0.1, CONDITION_SECONDS_MAX)
      .optional()
      .meta({ title: 'Maximum age', description: 'Seconds since the time of the value or its arrival.' }),
  })
  .superRefine(({ is, value }, context) => {
    if (is === undefined && value !== undefined)
      context.addIssue({ path: ['is'], ...ruleIssue('one_of', { values: COMPARISONS }) });
    else if (is !== undefined && value === undefined)
      context.addIssue({ path: ['value'], ...ruleIssue('type', { type: 'number, string or boolean' }) });
    else if ((is === '<' || is === '>') && typeof value !== 'number')
      context.addIssue({ path: ['value'], ...ruleIssue('number') });
  });
export type WriteCondition = z.infer<typeof writeCondition>;

export const writeLimits = z
  .strictObject({
    min: number.optional().meta({ title: 'Smallest value' }),
    max: number.optional().meta({ title: 'Largest value' }),
    maxStep: number
      .positive(expected('number_above', { what: 'a number', min: 0 }))
      .optional()
      .meta({ title: 'Largest step', description: 'From the last known value, up or down.' }),
    perSecond: wholeFrom('writes', 1, WRITES_PER_SECOND_MAX).optional().meta({ title: 'Maximum writes a second' }),
    onlyWhile: z
      .array(writeCondition, { error: expected('list_of', { of: 'conditions' }) })
      .max(CONDITIONS_MAX, expected('count_max', { max: CONDITIONS_MAX, of: 'conditions' }))
      .default([])
      .meta({ title: 'Only while', description: 'All conditions must hold.' }),
  })
  .superRefine(({ min, max }, context) => {
    if (min !== undefined && max !== undefined && max < min)
      context.addIssue({ path: ['max'], ...ruleIssue('number_min', { what: 'a number', min }) });
  });
export type WriteLimits = z.infer<typeof writeLimits>;

/** The limits that only a number can violate. */
export const NUMBER_LIMITS = ['min', 'max', 'maxStep'] as const satisfies readonly (keyof WriteLimits)[];
