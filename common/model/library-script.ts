import { z } from 'zod';
import { projectId } from './ids.ts';

/** Library scripts: modules with one default-exported function of `args`, run by nodes and by each other. */
export const SCRIPTS_PER_PROJECT_MAX = 500;
const CODE_CHARS_MAX = 256 * 1024;
const CODE_EXPECTED = 'expected the code of an ES module with one default export, a function of the arguments';

export const libraryScript = z.strictObject({
  id: projectId,
  description: z.string({ error: 'expected a text' }).max(512, 'expected at most 512 characters').default(''),
  code: z
    .string({ error: CODE_EXPECTED })
    .min(1, CODE_EXPECTED)
    .max(CODE_CHARS_MAX, `expected code of at most ${CODE_CHARS_MAX} characters`),
  deadline: z
    .number({ error: 'expected seconds from 0.1 to 3,600' })
    .min(0.1, 'expected seconds from 0.1 to 3,600')
    .max(3600, 'expected seconds from 0.1 to 3,600')
    .default(1),
});

export type LibraryScript = z.infer<typeof libraryScript>;
