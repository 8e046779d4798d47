import { scriptContract, scriptsContract } from '#common/contract/script.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { LibraryScript } from '#common/model/library-script.ts';
import { performAct } from './acts.ts';
import { callerOf } from './capability.ts';
import { defineCall, invalid, type Services } from './call.ts';
import { crudCalls, resourceOf } from './crud-calls.ts';
import { projectOf } from './project-calls.ts';
import { withoutGateway } from './without-gateway.ts';
import { ruleBroken } from '#common/errors/rules.ts';

/** Library scripts. A test has no rights unless a user with `access_settings` grants it scopes, as with a pipeline. */

export const scriptCalls = [
  ...crudCalls({ family: 'scripts', contract: scriptsContract, check: expectRunnable }),
  defineCall(scriptContract.test, {
    handle(services, context) {
      const { id: project } = projectOf(services, context);
      const script = resourceOf(services, context, 'scripts');
      const { args, scopes } = context.body;
      if (scopes.length > 0 && !context.session.permissions.has('access_settings'))
        throw new SluiceError('permission_missing', 'Testing with scopes needs the permission access_settings.');
      const row = { type: 'test' as const, project, target: script.id };
      return performAct(services, context, { ...row, detail: `scopes: ${scopes.join(', ') || 'none'}` }, () =>
        services.gateway.call('script-test', {
          project,
          script,
          args: args ?? null,
          scopes,
          who: callerOf(context.who),
        }),
      );
    },
  }),
];

/** Without a gateway, the script is saved unchecked: running it reports its errors. */
export async function expectRunnable(
  { gateway }: Pick<Services, 'gateway'>,
  _project: string,
  script: LibraryScript,
  prefix = '',
): Promise<void> {
  await withoutGateway(async () => {
    const { fault } = await gateway.call('script-check', { script });
    if (fault !== null) throw invalid([ruleBroken(`${prefix}code`, 'code_runs', { fault })]);
  });
}
