import { z } from 'zod';
import { expected } from '../errors/rules.ts';
import { TAG_PATH, TAG_PATTERN } from './tag-pattern.ts';

const PATH_EXPECTED = expected('form_exact', {
  what: 'a tag path',
  example: 'line7/filler/speed',
  also: ': up to 8 names of letters, digits, "_" or "-"',
});

export const tagPath = z.string({ error: PATH_EXPECTED }).regex(TAG_PATH, PATH_EXPECTED);
export const tagPattern = z
  .string({ error: PATH_EXPECTED })
  .regex(TAG_PATTERN, `${PATH_EXPECTED}; "*" may stand for any characters of a name, "**" for all below a folder`);
