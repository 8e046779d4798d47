import { z } from 'zod';
import { SluiceError } from '#common/errors/catalogue.ts';
import { scopeList } from '#common/model/fields.ts';
import { type LibraryScript, libraryScript } from '#common/model/library-script.ts';
import { performAct } from './acts.ts';
import { defineCall, invalid, type Services } from './call.ts';
import { crudCalls, resourceOf } from './crud-calls.ts';
import { draftField } from './drafts.ts';
import { projectOf } from './project-calls.ts';
import { withoutGateway } from './without-gateway.ts';

/** Library scripts. A test has no rights unless somebody with `access_settings` lends it some, like a pipeline's. */
const SCRIPTS = '/projects/:project/scripts';
/** A script's characters, each escaped in JSON at worst. */
const SCRIPT_BODY_BYTES_MAX = 2 * 1024 * 1024;

export const scriptCalls = [
  ...crudCalls({
    family: 'scripts',
    title: 'library script',
    plural: 'library scripts',
    schema: libraryScript,
    saved: libraryScript.extend(draftField),
    bodyBytesMax: SCRIPT_BODY_BYTES_MAX,
    check: expectRunnable,
  }),
  defineCall({
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
    handle(services, context) {
      const { id: project } = projectOf(services, context);
      const script = resourceOf(services, context, 'scripts');
      const { args, scopes } = context.body;
      if (scopes.length > 0 && !context.session.permissions.has('access_settings'))
        throw new SluiceError('permission_missing', 'Testing with scopes needs the permission access_settings.');
      const row = { type: 'test' as const, project, target: script.id };
      return performAct(services, context, { ...row, detail: `scopes: ${scopes.join(', ') || 'none'}` }, () =>
        services.gateway.call('script-test', { project, script, args: args ?? null, scopes }),
      );
    },
  }),
];

/** Without a gateway the script is saved as it is: running it says what is wrong. */
async function expectRunnable({ gateway }: Services, _project: string, script: LibraryScript): Promise<void> {
  await withoutGateway(async () => {
    const { fault } = await gateway.call('script-check', { script });
    if (fault !== null) throw invalid([{ path: 'code', message: `expected code that runs: ${fault}` }]);
  });
}
