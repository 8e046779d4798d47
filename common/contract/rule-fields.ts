import { z } from 'zod';
import { RULES } from '../errors/rules.ts';

/**
 * The rule of a sentence, in addition to its `message` or `detail`. Later releases may name rules that this one does
 * not know.
 */
export const ruleFields = {
  rule: z
    .string()
    .meta({ description: 'The rule that the sentence states, for programs.', examples: Object.keys(RULES) })
    .exactOptional(),
  params: z
    .record(z.string(), z.union([z.string(), z.number(), z.array(z.string()).readonly()]))
    .meta({ description: 'The values of the rule, by name.', examples: [{ from: 1, to: 64 }] })
    .exactOptional(),
};
