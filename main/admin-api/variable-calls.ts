import { z } from 'zod';
import { variableName } from '#common/capabilities/calls.ts';
import { variableContract } from '#common/contract/variable.ts';
import { performAct } from './acts.ts';
import { checked, type Context, defineCall, type Services, unknown } from './call.ts';
import { capability } from './capability.ts';
import { capabilityPage } from './capability-page.ts';
import { removeByCapability } from './remove-by-capability.ts';
import { projectOf } from './project-calls.ts';

/** Variables of a project, stored by the gateway. A name is one segment of the URL, with `/` encoded as `%2F`. */

export const variableCalls = [
  defineCall(variableContract.list, {
    handle: (services, context) => capabilityPage(services, context, 'vars.list', context.query),
  }),
  defineCall(variableContract.read, {
    handle: variableOf,
  }),
  defineCall(variableContract.set, {
    async handle(services, context) {
      const { id: project } = projectOf(services, context);
      const name = nameOf(context);
      const { value } = context.body;
      await performAct(services, context, { project, target: name }, () =>
        services.locks.shared(project, () => capability(services, project, 'vars.set', { name, value }, context.who)),
      );
      services.hub.publish({ kind: 'changed', what: 'variable', project });
      return variableOf(services, context);
    },
  }),
  defineCall(variableContract.remove, {
    async handle(services, context) {
      const name = nameOf(context);
      await removeByCapability(services, context, {
        what: 'variable',
        call: 'vars.remove',
        args: { name },
        target: name,
      });
      return null;
    },
  }),
];

function nameOf({ param }: Pick<Context<unknown, unknown>, 'param'>): string {
  return checked(z.strictObject({ variable: variableName }), { variable: param('variable') }).variable;
}

/** From the list, which distinguishes "never set" from null. */
async function variableOf(services: Services, context: Pick<Context<unknown, unknown>, 'param'>) {
  const { id } = projectOf(services, context);
  const name = nameOf(context);
  const found = await capability(services, id, 'vars.list', { prefix: name });
  const entry = found.find((one) => one.name === name);
  if (entry === undefined) throw unknown('variable');
  return entry;
}
