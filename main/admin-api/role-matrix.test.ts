import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, createHarness, type Harness, PASSWORD } from './harness.testing.ts';
import { openApi } from './openapi.ts';
import { REFUSED_ACT } from './refused-calls.ts';
import {
  LOWEST_ROLE,
  NOT_FOR_ENGINEERS,
  type Role,
  ROLES,
  WITH_ANY_SESSION,
  WITHOUT_SESSION,
} from './role-matrix.testing.ts';

/**
 * Every operation of the OpenAPI file against every role and every kind of missing session. The expected access is a
 * separate list (role-matrix.testing.ts): a wrongly declared permission fails the test, and so does a call without an
 * entry.
 */
interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly permissions: readonly string[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const SESSION_MS = 12 * 60 * 60 * 1000;

/** Read without knowledge of the code. */
function operationsOf(document: Record<string, unknown>): Operation[] {
  return Object.entries(document['paths'] as Record<string, Record<string, Record<string, unknown>>>).flatMap(
    ([path, item]) =>
      Object.entries(item)
        .filter(([method]) => METHODS.includes(method))
        .map(([method, operation]) => ({
          name: `${method.toUpperCase()} ${path}`,
          method: method.toUpperCase(),
          path,
          permissions: (operation['x-permissions'] as string[] | undefined) ?? [],
        })),
  );
}

const OPERATIONS = operationsOf(openApi({ version: '1.2.3', uiPort: 8091, host: '127.0.0.1:8091' }));
const lowestRole = (name: string) => ROLES.find((role) => LOWEST_ROLE[role].includes(name));
const mayAsk = (who: Role, lowest: Role, name: string) =>
  ROLES.indexOf(who) >= ROLES.indexOf(lowest) && !(who === 'Engineer' && NOT_FOR_ENGINEERS.includes(name));
const behindDoor = OPERATIONS.filter(({ name }) => !WITHOUT_SESSION.includes(name));
const permitted = behindDoor.filter(({ name }) => !WITH_ANY_SESSION.includes(name));
const mutations = behindDoor.filter(({ method }) => method !== 'GET');

let harness: Harness;
let later: Harness;
let parameters: Record<string, string>;
const people = new Map<string, Client>();
const expired = new Map<string, Client>();

beforeAll(async () => {
  harness = await createHarness();
  later = await createHarness();
  parameters = await furnish(harness, people);
  await furnish(later, expired);
  later.clock.ms += SESSION_MS + 1;
});

afterAll(async () => {
  await harness.close();
  await later.close();
});

/** One user for each role and one without any; a project, a pipeline and a key that a call could change. */
async function furnish(on: Harness, clients: Map<string, Client>): Promise<Record<string, string>> {
  const admin = await on.setUp();
  clients.set('Administrator', admin);
  clients.set('nobody in particular', await on.personWith(admin));
  const ids: Record<string, string> = {};
  for (const role of ROLES.slice(0, -1)) {
    const { body } = await admin.send('POST', '/users', { name: `${role} one`, password: PASSWORD, roles: [role] });
    ids['user'] = String(body['id']);
    clients.set(role, await on.logIn(`${role} one`));
  }
  await admin.send('POST', '/projects', { id: 'line-1', name: 'Line 1' });
  await admin.send('POST', '/projects/line-1/pipelines', { id: 'orders', name: 'Orders' });
  const { body } = await admin.send('POST', '/projects/line-1/keys', { name: 'MES', scopes: [] });
  const { id } = body['record'] as { id: string };
  expect(id).toMatch(/^\w{12}$/);
  return { ...ids, project: 'line-1', pipeline: 'orders', key: id, revision: '1', alarm: 'plain_http' };
}

const pathOf = ({ path }: Operation) => path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => parameters[name] ?? 'x1');

/** Only the head of a response and its problem: a live stream would never end. */
async function ask(on: Harness, operation: Operation, client: Client, csrfToken = client.csrfToken): Promise<string> {
  const ended = new AbortController();
  const response = await fetch(`${on.base}/api/v1${pathOf(operation)}`, {
    method: operation.method,
    headers: {
      ...(client.cookie !== '' && { cookie: client.cookie }),
      ...(csrfToken !== '' && { 'x-csrf-token': csrfToken }),
      ...(operation.method !== 'GET' && { 'content-type': 'application/json' }),
    },
    ...(operation.method !== 'GET' && { body: '{}' }),
    signal: ended.signal,
  });
  const isProblem = response.headers.get('content-type')?.includes('problem+json') === true;
  const code = isProblem ? String(((await response.json()) as Record<string, unknown>)['code']) : 'passed';
  ended.abort();
  return `${response.status} ${code}`;
}

/** Everything that a call could have changed: every byte of the data folder, and the calls to journal and gateway. */
async function stateOf(on: Harness): Promise<string> {
  const hash = createHash('sha256');
  for (const entry of await readdir(on.dataDir, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    hash.update(file);
    // SQLite's shared memory has a reader's marks.
    if (entry.isFile() && !file.endsWith('-shm')) hash.update(await readFile(file));
  }
  const { audit, gateway } = on;
  const rows = audit.rows.filter(({ act }) => act !== REFUSED_ACT);
  return JSON.stringify([hash.digest('hex'), rows, gateway.changes, gateway.resources, gateway.calls]);
}

/** Rows of refused calls, single or counted, summed up by user and response. */
function refusedIn({ audit }: Harness): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { act, user = 'nobody', status, code, count = 1 } of audit.rows) {
    const name = `${user}: ${status} ${code}`;
    if (act === REFUSED_ACT) sums.set(name, (sums.get(name) ?? 0) + count);
  }
  return sums;
}

const asked = { harness: new Map<string, number>(), later: new Map<string, number>() };

function noteAsked(on: Harness, user: string, answer: string): void {
  const sums = on === later ? asked.later : asked.harness;
  sums.set(`${user}: ${answer}`, (sums.get(`${user}: ${answer}`) ?? 0) + 1);
}

/** Makes the call as each user and compares the responses and the state with the expected ones. */
async function refused(on: Harness, clients: readonly Client[], expected: string, asking: Asking): Promise<void> {
  const before = await stateOf(on);
  for (const client of clients) {
    expect(await asking(client)).toBe(expected);
    noteAsked(on, expected.startsWith('401') ? 'nobody' : nameOf(client), expected);
  }
  expect(await stateOf(on)).toBe(before);
}

function nameOf(client: Client): string {
  const [who = ''] = [...people].find(([, one]) => one === client) ?? [];
  return { Administrator: 'Ada', 'nobody in particular': 'person 1' }[who] ?? `${who} one`;
}

type Asking = (client: Client) => Promise<string>;

test('the served file is the one that is read here', async () => {
  const served = (await (await fetch(`${harness.base}/api/v1/openapi.json`)).json()) as Record<string, unknown>;
  expect(operationsOf(served)).toEqual(OPERATIONS);
});

test('every operation has exactly one entry, and every entry an operation', () => {
  const listed = [...WITHOUT_SESSION, ...WITH_ANY_SESSION, ...Object.values(LOWEST_ROLE).flat()];
  expect(listed.toSorted()).toEqual(OPERATIONS.map(({ name }) => name).toSorted());
});

describe.each(behindDoor)('$name', (operation) => {
  const role = lowestRole(operation.name);
  const below =
    role === undefined ? [] : ['nobody in particular', ...ROLES.filter((who) => !mayAsk(who, role, operation.name))];

  test('is refused without a session, and with an expired one', async () => {
    await refused(harness, [harness.nobody], '401 no_session', (client) => ask(harness, operation, client));
    await refused(later, [...expired.values()], '401 no_session', (client) => ask(later, operation, client));
  });

  test(`is refused to ${below.join(', ') || 'no role'}, and changes nothing`, async () => {
    const clients = below.map((who) => people.get(who) as Client);
    await refused(harness, clients, '403 permission_missing', (client) => ask(harness, operation, client));
  });
});

test.each(mutations)('$name is refused without the CSRF token, and changes nothing', async (operation) => {
  const clients = [...people.values()];
  for (const token of ['', 'x'])
    await refused(harness, clients, '403 csrf_token_wrong', (client) => ask(harness, operation, client, token));
});

test('the journal has each of these refused calls', async () => {
  // A page uses this call to check for a session; at each log-in it does so without one.
  const question = '401 no_session';
  const of = (answers: Map<string, number>, unasked: number) =>
    new Map([...answers].map(([name, count]) => [name, name.endsWith(question) ? count - unasked : count]));
  // The last minute's counts are written with the stop.
  await harness.stop();
  await later.stop();
  expect(refusedIn(harness)).toEqual(of(asked.harness, 1));
  expect(refusedIn(later)).toEqual(of(asked.later, expired.size));
  harness = await createHarness();
  people.clear();
  parameters = await furnish(harness, people);
});

// Permitted calls can change data: these come last.
test.each(permitted)('$name accepts its lowest role and all roles above', async (operation) => {
  const role = lowestRole(operation.name) as Role;
  for (const who of ROLES.filter((one) => mayAsk(one, role, operation.name)))
    expect(await ask(harness, operation, people.get(who) as Client)).not.toMatch(
      /no_session|csrf_token|^403 permission_missing/,
    );
});
