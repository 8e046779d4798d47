import { z } from 'zod';
import { projectId } from './ids.ts';
import { expected } from '../errors/rules.ts';

/** Library scripts: modules with one default-exported function of `args`, run by nodes and by each other. */
export const SCRIPTS_PER_PROJECT_MAX = 500;
const CODE_CHARS_MAX = 256 * 1024;
const CODE_EXPECTED = expected('module_code', { of: 'arguments' });

export const libraryScript = z.strictObject({
  id: projectId,
  description: z
    .string({ error: expected('text') })
    .max(512, expected('length_max', { max: 512 }))
    .default(''),
  code: z
    .string({ error: CODE_EXPECTED })
    .min(1, CODE_EXPECTED)
    .max(CODE_CHARS_MAX, expected('length_max', { max: CODE_CHARS_MAX })),
  deadline: z
    .number({ error: expected('range', { what: 'seconds', from: 0.1, to: 3_600 }) })
    .min(0.1, expected('range', { what: 'seconds', from: 0.1, to: 3_600 }))
    .max(3600, expected('range', { what: 'seconds', from: 0.1, to: 3_600 }))
    .default(1),
});

export type LibraryScript = z.infer<typeof libraryScript>;
