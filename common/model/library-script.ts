import { z } from 'zod';
import { projectId } from './ids.ts';
import { expected } from '../errors/rules.ts';
import { numberFrom, textUpTo } from './bounds.ts';

/** Library scripts: modules with one default-exported function of `args`, called by nodes and by other scripts. */
export const SCRIPTS_PER_PROJECT_MAX = 500;
const CODE_CHARS_MAX = 256 * 1024;
const CODE_EXPECTED = expected('module_code', { of: 'arguments' });

export const libraryScript = z.strictObject({
  id: projectId,
  description: textUpTo(512).default(''),
  code: z
    .string({ error: CODE_EXPECTED })
    .min(1, CODE_EXPECTED)
    .max(CODE_CHARS_MAX, expected('length_max', { max: CODE_CHARS_MAX })),
  deadline: numberFrom('seconds', 0.1, 3_600).default(1),
});

export type LibraryScript = z.infer<typeof libraryScript>;
