import { z } from 'zod';
import { CALLS, variableName } from '#common/capabilities/calls.ts';
import { performAct } from './acts.ts';
import { checked, type Context, defineCall, type Services, unknown } from './call.ts';
import { capability } from './capability.ts';
import { projectOf } from './project-calls.ts';
import { listOf, page } from '#common/contract/records.ts';

/** Variables of a project, kept by the gateway. A name is one segment of the URL, its `/` written `%2F`. */
const VARIABLES = '/projects/:project/variables';
const VARIABLE = `${VARIABLES}/:variable`;

const variable = z.strictObject({ name: z.string(), value: z.unknown(), updatedAt: z.string() });
const prefix = CALLS['vars.list'].args.shape.prefix;

export const variableCalls = [
  defineCall({
    method: 'get',
    path: VARIABLES,
    access: 'view',
    summary: 'List variables',
    description:
      'Lists the variables of a project with their values, by name. `prefix` limits the list to names that begin with it.',
    query: z.strictObject({ prefix }),
    response: listOf(variable),
    async handle(services, context) {
      const { id } = projectOf(services, context);
      return page(await capability(services, id, 'vars.list', context.query));
    },
  }),
  defineCall({
    method: 'get',
    path: VARIABLE,
    access: 'view',
    summary: 'Read a variable',
    description: 'Shows the value of one variable. The name is one segment of the URL, with `/` written as `%2F`.',
    response: variable,
    handle: variableOf,
  }),
  defineCall({
    method: 'put',
    path: VARIABLE,
    access: 'edit_pipelines',
    audit: ['variable.set'],
    summary: 'Set a variable',
    description:
      'Sets the value of a variable and creates it if necessary. The name is one segment of the URL, with `/` written as `%2F`.',
    body: z.strictObject({ value: z.unknown().refine((value) => value !== undefined, 'expected a JSON value') }),
    response: variable,
    async handle(services, context) {
      const { id: project } = projectOf(services, context);
      const name = nameOf(context);
      const { value } = context.body;
      await performAct(services, context, { project, target: name }, () =>
        services.locks.shared(project, () => capability(services, project, 'vars.set', { name, value })),
      );
      services.hub.publish({ kind: 'changed', what: 'variable', project });
      return variableOf(services, context);
    },
  }),
  defineCall({
    method: 'delete',
    path: VARIABLE,
    access: 'edit_pipelines',
    audit: ['variable.delete'],
    summary: 'Delete a variable',
    description: 'Deletes a variable with its value. The name is one segment of the URL, with `/` written as `%2F`.',
    response: null,
    async handle(services, context) {
      const { id: project } = projectOf(services, context);
      const name = nameOf(context);
      await performAct(services, context, { project, target: name }, async () => {
        const removed = await services.locks.shared(project, () =>
          capability(services, project, 'vars.remove', { name }),
        );
        if (!removed) throw unknown('variable');
      });
      services.hub.publish({ kind: 'changed', what: 'variable', project });
      return null;
    },
  }),
];

function nameOf({ param }: Pick<Context<unknown, unknown>, 'param'>): string {
  return checked(z.strictObject({ variable: variableName }), { variable: param('variable') }).variable;
}

/** By the list, which tells "never set" from null. */
async function variableOf(services: Services, context: Pick<Context<unknown, unknown>, 'param'>) {
  const { id } = projectOf(services, context);
  const name = nameOf(context);
  const found = await capability(services, id, 'vars.list', { prefix: name });
  const entry = found.find((one) => one.name === name);
  if (entry === undefined) throw unknown('variable');
  return entry;
}
