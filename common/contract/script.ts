import { z } from 'zod';
import { scopeList } from '../model/fields.ts';
import { libraryScript } from '../model/library-script.ts';
import { declareCall } from './declaration.ts';
import { draftedContract, draftField } from './drafted.ts';

/** Library scripts. A test has no rights unless a user with `access_settings` grants it scopes, as with a pipeline. */
const SCRIPTS = '/projects/:project/scripts';

/** The largest script with every character escaped in JSON. */
const SCRIPT_BODY_BYTES_MAX = 2 * 1024 * 1024;

/** Library scripts as resources of a project. */
export const scriptsContract = draftedContract({
  family: 'scripts',
  what: 'script',
  title: 'library script',
  plural: 'library scripts',
  schema: libraryScript,
  saved: libraryScript.extend(draftField),
  bodyBytesMax: SCRIPT_BODY_BYTES_MAX,
});

export const scriptContract = {
  test: declareCall({
    method: 'post',
    path: `${SCRIPTS}/:script/test`,
    access: 'edit_pipelines',
    audit: ['script.test'],
    summary: 'Test a library script',
    description:
      'Runs the saved script once with the given arguments and answers its result. Scopes that the script is lent for the test need `access_settings`.',
    body: z.strictObject({ args: z.unknown().optional(), scopes: scopeList.default([]) }),
    response: z.strictObject({
      value: z.unknown(),
      lines: z.array(z.strictObject({ level: z.string(), message: z.string() })),
    }),
  }),
};
