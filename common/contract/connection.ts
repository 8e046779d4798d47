import { connectionRecord, connectionTest, savedConnection, sentConnection } from './connection-records.ts';
import { declareCall } from './declaration.ts';
import { listOf } from './records.ts';

/**
 * Connections of a project (docs/spec/capabilities.md#devices). Their secrets are stored in the vault and leave it only
 * for the gateway: no response, journal row, event or log contains one. A new secret is written to the vault before the
 * store refers to it, and an old one is removed after the reference is gone, so that a crash in between leaves at worst
 * an unreferenced secret.
 */
const CONNECTIONS = '/projects/:project/connections';
const CONNECTION = `${CONNECTIONS}/:connection`;

export const connectionContract = {
  list: declareCall({
    method: 'get',
    path: CONNECTIONS,
    access: 'view',
    summary: 'List connections',
    description:
      'Lists the connections of a project to databases and devices. A secret is shown as `{ "set": true }` or null, never as its value.',
    response: listOf(connectionRecord),
  }),
  create: declareCall({
    method: 'post',
    path: CONNECTIONS,
    access: 'access_settings',
    audit: ['connection.create'],
    summary: 'Create a connection',
    description: 'Creates a connection to a database or a device. The reply comes once the gateway uses it.',
    body: sentConnection,
    status: 201,
    response: connectionRecord,
  }),
  read: declareCall({
    method: 'get',
    path: CONNECTION,
    access: 'view',
    summary: 'Read a connection',
    description: 'Shows one connection. A secret is shown as `{ "set": true }` or null, never as its value.',
    response: connectionRecord,
  }),
  change: declareCall({
    method: 'put',
    path: CONNECTION,
    access: 'access_settings',
    audit: ['connection.change'],
    summary: 'Change a connection',
    description:
      'Replaces the settings of a connection. `{ "set": true }` keeps a secret, null clears it. Another kind, host or port, or weaker transport security, clears the secrets that are not sent again. The reply comes once the gateway uses the change.',
    body: sentConnection,
    ignored: ['cleared'],
    response: savedConnection,
  }),
  remove: declareCall({
    method: 'delete',
    path: CONNECTION,
    access: 'access_settings',
    audit: ['connection.delete'],
    summary: 'Delete a connection',
    description:
      'Deletes the connection with its secrets. It is refused while a query, a tag or a running pipeline uses the connection.',
    response: null,
  }),
  testDraft: declareCall({
    method: 'post',
    path: `${CONNECTIONS}/test`,
    access: 'access_settings',
    audit: ['connection.test'],
    summary: 'Test connection settings',
    description:
      'Connects with settings that are not saved and reports the outcome. `{ "set": true }` means the saved secret of the connection with the same id, provided that the target is the same.',
    body: sentConnection,
    ignored: ['cleared'],
    response: connectionTest,
  }),
  test: declareCall({
    method: 'post',
    path: `${CONNECTION}/test`,
    access: 'access_settings',
    audit: ['connection.test'],
    summary: 'Test a connection',
    description: 'Connects with the saved settings and reports the outcome.',
    response: connectionTest,
  }),
};
