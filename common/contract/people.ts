import { z } from 'zod';
import { newPassword, permissionNames, personName, roleNames, userName } from '../model/credentials.ts';
import { declareCall } from './declaration.ts';
import { listOf, roleRecord, userRecord } from './records.ts';
import { expected } from '../errors/rules.ts';

export const userPatch = z.strictObject({
  roles: roleNames.optional(),
  active: z.boolean({ error: expected('true_or_false') }).optional(),
  password: newPassword.optional(),
});
const rolePatch = z.strictObject({ name: personName.optional(), permissions: permissionNames.optional() });

export const peopleContract = {
  listUsers: declareCall({
    method: 'get',
    path: '/users',
    access: 'manage_users',
    summary: 'List users',
    description: 'Lists all users with their roles, deactivated ones included.',
    response: listOf(userRecord),
  }),
  createUser: declareCall({
    method: 'post',
    path: '/users',
    access: 'manage_users',
    audit: ['user.create'],
    summary: 'Create a user',
    description:
      'Creates a user with a password and roles. Roles with permissions that the current user does not hold are refused.',
    body: z.strictObject({ name: userName, password: newPassword, roles: roleNames }),
    status: 201,
    response: userRecord,
  }),
  changeUser: declareCall({
    method: 'patch',
    path: '/users/:user',
    access: 'manage_users',
    audit: ['user.change', 'user.deactivate', 'user.reactivate'],
    summary: 'Change a user',
    description:
      'Changes roles or password, or deactivates or reactivates the user. The sessions of that user end. The last Administrator cannot be deactivated.',
    errors: ['not_saved'],
    body: userPatch,
    response: userRecord,
  }),
  listRoles: declareCall({
    method: 'get',
    path: '/roles',
    access: 'manage_users',
    summary: 'List roles',
    description: 'Lists all roles with their permissions, the built-in ones first.',
    response: listOf(roleRecord),
  }),
  createRole: declareCall({
    method: 'post',
    path: '/roles',
    access: 'manage_users',
    audit: ['role.create'],
    summary: 'Create a role',
    description: 'Creates a role from permissions that the current user holds.',
    body: z.strictObject({ name: personName, permissions: permissionNames }),
    status: 201,
    response: roleRecord,
  }),
  changeRole: declareCall({
    method: 'patch',
    path: '/roles/:role',
    access: 'manage_users',
    audit: ['role.change'],
    summary: 'Change a role',
    description: 'Changes a role. Built-in roles cannot be changed. The sessions of users with this role end.',
    body: rolePatch,
    response: roleRecord,
  }),
};
