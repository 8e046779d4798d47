import { z } from 'zod';
import { CALLS } from '../capabilities/calls.ts';
import { declareCall } from './declaration.ts';
import { listOf } from './records.ts';
import { expected } from '../errors/rules.ts';

/** Variables of a project, stored by the gateway. A name is one segment of the URL, with `/` encoded as `%2F`. */
const VARIABLES = '/projects/:project/variables';
const VARIABLE = `${VARIABLES}/:variable`;

const variable = z.strictObject({ name: z.string(), value: z.unknown(), updatedAt: z.string() });
const prefix = CALLS['vars.list'].args.shape.prefix;

export const variableContract = {
  list: declareCall({
    method: 'get',
    path: VARIABLES,
    access: 'view',
    summary: 'List variables',
    description:
      'Lists the variables of a project with their values, by name. `prefix` limits the list to names that begin with it.',
    query: z.strictObject({ prefix }),
    response: listOf(variable),
  }),
  read: declareCall({
    method: 'get',
    path: VARIABLE,
    access: 'view',
    summary: 'Read a variable',
    description: 'Shows the value of one variable. The name is one segment of the URL, with `/` written as `%2F`.',
    response: variable,
  }),
  set: declareCall({
    method: 'put',
    path: VARIABLE,
    access: 'edit_pipelines',
    audit: ['variable.set'],
    summary: 'Set a variable',
    description:
      'Sets the value of a variable and creates it if necessary. The name is one segment of the URL, with `/` written as `%2F`.',
    body: z.strictObject({ value: z.unknown().refine((value) => value !== undefined, expected('json')) }),
    response: variable,
  }),
  remove: declareCall({
    method: 'delete',
    path: VARIABLE,
    access: 'edit_pipelines',
    audit: ['variable.delete'],
    summary: 'Delete a variable',
    description: 'Deletes a variable with its value. The name is one segment of the URL, with `/` written as `%2F`.',
    response: null,
  }),
};
