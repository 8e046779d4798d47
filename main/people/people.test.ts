import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SluiceError } from '#common/errors/catalogue.ts';
import { PERMISSIONS, type Permission } from '#common/model/records.ts';
import { createLogger } from '#common/node/log.ts';
import type { People, Session } from '../contracts.ts';
import { createMemoryVault, type MemoryVault } from './memory-vault.testing.ts';
import { createPeople } from './people.ts';
import { LANE_MS } from './log-in-lanes.ts';
import { WRONG_TOKENS_MAX } from './setup-token.ts';
import { SESSION_MS, SESSIONS_PER_USER_MAX } from './sessions.ts';

const PASSWORD = 'correct horse battery';
const cost = { n: 1024, r: 8, p: 1 };
const log = createLogger('test', () => {});

let dataDir: string;
let vault: MemoryVault;
let clock: number;
/** How far the system clock is ahead of the one that cannot be set. */
let setOnMs: number;
let people: People;

function open(): People {
  return createPeople({ vault, dataDir, now: () => clock + setOnMs, elapsedMs: () => clock, log, cost });
}

async function token(): Promise<string> {
  return (await readFile(join(dataDir, 'setup-token'), 'utf8')).trim();
}

async function setUp(): Promise<Session> {
  await people.setup({ token: await token(), name: 'Ada', password: PASSWORD });
  return (await people.logIn('Ada', PASSWORD, '127.0.0.1')).session;
}

/** A user with a role of exactly these permissions, logged in. */
async function personWith(admin: Session, name: string, permissions: Permission[]): Promise<Session> {
  await people.createRole({ name: `role of ${name}`, permissions }, admin);
  await people.createUser({ name, password: PASSWORD, roles: [`role of ${name}`] }, admin);
  return (await people.logIn(name, PASSWORD, '127.0.0.1')).session;
}

function idOf(name: string): string {
  return people.users().find((user) => user.name === name)?.id ?? '';
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'done',
    (error: unknown) => (error instanceof SluiceError ? error.code : String(error)),
  );
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'people-'));
  vault = await createMemoryVault();
  clock = Date.parse('2026-03-01T06:00:00Z');
  setOnMs = 0;
  people = open();
});

afterEach(async () => {
  await vault.close();
  await rm(dataDir, { recursive: true });
});

describe('set-up', () => {
  test('the first start leaves a token that only its owner can read', async () => {
    expect(people.setupNeeded).toBe(true);
    expect((await stat(join(dataDir, 'setup-token'))).mode & 0o777).toBe(0o600);
    expect(await token()).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{2}$/);
  });

  test('the token creates one Administrator with every permission and is removed', async () => {
    const session = await setUp();
    expect([...session.permissions].toSorted()).toEqual([...PERMISSIONS].toSorted());
    expect(people.setupNeeded).toBe(false);
    await expect(stat(join(dataDir, 'setup-token'))).rejects.toThrow('ENOENT');
  });

  test('a wrong token creates nobody', async () => {
    expect(await codeOf(people.setup({ token: 'x', name: 'Eve', password: PASSWORD }))).toBe('setup_token_wrong');
    expect(people.users()).toEqual([]);
  });

  test('the token may be typed in lower case, without dashes and with look-alikes', async () => {
    await writeFile(join(dataDir, 'setup-token'), 'K01F-2M9D-XW\n', { mode: 0o600 });
    people = open();
    await people.setup({ token: ' koif2m9d xw', name: 'Ada', password: PASSWORD });
    expect(people.setupNeeded).toBe(false);
  });

  const guess = () => codeOf(people.setup({ token: 'K7QF-2M9D-XW', name: 'Eve', password: PASSWORD }));

  test('after five wrong tokens the right one has to wait, too', async () => {
    for (let n = 0; n < 5; n++) expect(await guess()).toBe('setup_token_wrong');
    expect(await guess()).toBe('login_slowed');
    const right = { token: await token(), name: 'Ada', password: PASSWORD };
    await expect(people.setup(right)).rejects.toThrow('Too many wrong set-up tokens; try again in 1 s.');
    clock += 1_000;
    await people.setup(right);
    expect(people.setupNeeded).toBe(false);
  });

  test('after a hundred wrong tokens none is accepted until the next start', async () => {
    const former = await token();
    for (let n = 0; n < WRONG_TOKENS_MAX; n++, clock += 60_000) expect(await guess()).toBe('setup_token_wrong');
    await expect(people.setup({ token: former, name: 'Ada', password: PASSWORD })).rejects.toThrow('is void');
    await expect(stat(join(dataDir, 'setup-token'))).rejects.toThrow('ENOENT');
    people = open();
    expect(await token()).not.toBe(former);
    await setUp();
  });

  test('the token is accepted once, even for two concurrent uses', async () => {
    const first = await token();
    const codes = await Promise.all(
      ['Ada', 'Eve'].map((name) => codeOf(people.setup({ token: first, name, password: PASSWORD }))),
    );
    expect(codes.toSorted()).toEqual(['conflict', 'done']);
    expect(people.users()).toHaveLength(1);
    expect(await codeOf(people.setup({ token: first, name: 'Eve', password: PASSWORD }))).toBe('conflict');
  });

  test('a token that could not be used because the disk is full can be used later', async () => {
    vault.failWrites = true;
    await expect(people.setup({ token: await token(), name: 'Ada', password: PASSWORD })).rejects.toThrow(
      'disk is full',
    );
    vault.failWrites = false;
    await setUp();
  });

  test('a restart keeps the token, and deletes a leftover one after set-up', async () => {
    const before = await token();
    people = open();
    expect(await token()).toBe(before);
    await setUp();
    await writeFile(join(dataDir, 'setup-token'), 'left over');
    people = open();
    await expect(stat(join(dataDir, 'setup-token'))).rejects.toThrow('ENOENT');
  });

  test('a token file that others can read is replaced', async () => {
    const before = await token();
    await rm(join(dataDir, 'setup-token'));
    await writeFile(join(dataDir, 'setup-token'), before, { mode: 0o644 });
    people = open();
    expect(await token()).not.toBe(before);
    expect((await stat(join(dataDir, 'setup-token'))).mode & 0o777).toBe(0o600);
  });

  test('an Administrator from the command line ends the set-up too', async () => {
    const before = await token();
    await people.addUser({ name: 'Ada', password: PASSWORD, roles: ['Administrator'] });
    expect(people.setupNeeded).toBe(false);
    expect(await codeOf(people.setup({ token: before, name: 'Eve', password: PASSWORD }))).toBe('conflict');
  });
});

describe('names and passwords', () => {
  test.each([
    ['a password of nine characters', { name: 'Bob', password: '123456789' }, 'password'],
    ['a password of 1,025 characters', { name: 'Bob', password: 'x'.repeat(1025) }, 'password'],
    ['an empty name', { name: '  ', password: PASSWORD }, 'name'],
    ['a name of 65 characters', { name: 'x'.repeat(65), password: PASSWORD }, 'name'],
  ])('%s is refused, naming the field', async (_what, input, path) => {
    const admin = await setUp();
    const refusal = people.createUser({ ...input, roles: [] }, admin);
    await expect(refusal).rejects.toMatchObject({ code: 'invalid', errors: [{ path }] });
  });

  test('two names that differ only in case are the same', async () => {
    const admin = await setUp();
    expect(await codeOf(people.createUser({ name: 'ADA', password: PASSWORD, roles: [] }, admin))).toBe('conflict');
    expect((await people.logIn('aDa', PASSWORD, '127.0.0.1')).session.user.name).toBe('Ada');
  });

  test('so are two with differently composed letters', async () => {
    const admin = await setUp();
    await people.createUser({ name: 'J\u00f6rg', password: PASSWORD, roles: [] }, admin);
    const decomposed = 'Jo\u0308rg';
    expect(await codeOf(people.createUser({ name: decomposed, password: PASSWORD, roles: [] }, admin))).toBe(
      'conflict',
    );
    expect((await people.logIn(decomposed, PASSWORD, '127.0.0.1')).session.user.name).toBe('J\u00f6rg');
  });

  test('the password is stored as a salted scrypt hash with its parameters', async () => {
    const admin = await setUp();
    await people.createUser({ name: 'Bob', password: PASSWORD, roles: [] }, admin);
    const hashes = vault.read((db) => db.exec('SELECT password FROM people_users')[0]?.values.flat() ?? []);
    expect(hashes).toHaveLength(2);
    for (const hash of hashes) expect(hash).toMatch(/^scrypt\$1024\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    expect(hashes[0]).not.toBe(hashes[1]);
  });
});

describe('sessions', () => {
  test('a session ends after twelve hours', async () => {
    await setUp();
    const { cookie } = await people.logIn('Ada', PASSWORD, '127.0.0.1');
    clock += SESSION_MS - 1;
    expect(people.session(cookie)?.user.name).toBe('Ada');
    clock += 1;
    expect(people.session(cookie)).toBeNull();
  });

  test.each([-13, 13])('a clock that is set by %i hours neither ends nor extends one', async (hours) => {
    await setUp();
    const { cookie } = await people.logIn('Ada', PASSWORD, '127.0.0.1');
    setOnMs = hours * 3_600_000;
    clock += SESSION_MS - 60_000;
    // Its reported end is in the time of the current clock.
    expect(people.session(cookie)?.expiresAt).toBe(new Date(clock + setOnMs + 60_000).toISOString());
    clock += 60_000;
    expect(people.session(cookie)).toBeNull();
  });

  test('no session survives a restart', async () => {
    await setUp();
    const { cookie } = await people.logIn('Ada', PASSWORD, '127.0.0.1');
    people = open();
    expect(people.session(cookie)).toBeNull();
    expect((await people.logIn('Ada', PASSWORD, '127.0.0.1')).session.user.name).toBe('Ada');
  });

  test('logging out ends this session alone', async () => {
    await setUp();
    const one = await people.logIn('Ada', PASSWORD, '127.0.0.1');
    const two = await people.logIn('Ada', PASSWORD, '127.0.0.1');
    people.logOut(one.cookie);
    expect(people.session(one.cookie)).toBeNull();
    expect(people.session(two.cookie)).not.toBeNull();
  });

  test('beyond the limit of a user, the oldest session ends', async () => {
    await setUp();
    const first = await people.logIn('Ada', PASSWORD, '127.0.0.1');
    for (let i = 1; i < SESSIONS_PER_USER_MAX; i++) await people.logIn('Ada', PASSWORD, '127.0.0.1');
    expect(people.session(first.cookie)).not.toBeNull();
    await people.logIn('Ada', PASSWORD, '127.0.0.1');
    expect(people.session(first.cookie)).toBeNull();
  });

  test.each([
    ['deactivation', { active: false }],
    ['a change of roles', { roles: ['Viewer'] }],
    ['a change of password', { password: 'another password' }],
  ])('%s ends the sessions of the user and reports it', async (_what, patch) => {
    const admin = await setUp();
    await people.createUser({ name: 'Bob', password: PASSWORD, roles: ['Operator'] }, admin);
    const { cookie } = await people.logIn('Bob', PASSWORD, '127.0.0.1');
    const ended: string[] = [];
    people.onSessionsEnded((userId) => ended.push(userId));
    await people.changeUser(idOf('Bob'), patch, admin);
    expect(people.session(cookie)).toBeNull();
    expect(ended).toEqual([idOf('Bob')]);
  });

  test("a change of a role's permissions ends the sessions of its users", async () => {
    const admin = await setUp();
    await personWith(admin, 'Bob', ['view']);
    const { cookie } = await people.logIn('Bob', PASSWORD, '127.0.0.1');
    const role = people.roles().find((candidate) => candidate.name === 'role of Bob');
    await people.changeRole(role?.id ?? '', { permissions: ['view', 'view_audit'] }, admin);
    expect(people.session(cookie)).toBeNull();
  });

  test('a user who became inactive in any way has no session', async () => {
    await setUp();
    const { cookie } = await people.logIn('Ada', PASSWORD, '127.0.0.1');
    await vault.mutate((db) => db.run('UPDATE people_users SET active = 0'));
    expect(people.session(cookie)).toBeNull();
  });

  test('a user who changes their password needs the old one, loses all sessions and gets a new one', async () => {
    const session = await setUp();
    const { cookie } = await people.logIn('Ada', PASSWORD, '127.0.0.1');
    expect(await codeOf(people.changeOwnPassword(session, 'wrong password', 'a new password'))).toBe('login_failed');
    expect(people.session(cookie)).not.toBeNull();
    const own = await people.changeOwnPassword(session, PASSWORD, 'a new password');
    expect(people.session(cookie)).toBeNull();
    expect(people.session(own.cookie)?.csrfToken).toBe(own.session.csrfToken);
    expect(own.session.csrfToken).not.toBe(session.csrfToken);
    expect(await codeOf(people.logIn('Ada', PASSWORD, '127.0.0.1'))).toBe('login_failed');
    await people.logIn('Ada', 'a new password', '127.0.0.1');
  });

  test('an own password is not changed over one that another user has just set', async () => {
    const session = await setUp();
    const { mutate } = vault;
    vault.mutate = async (change) => {
      vault.mutate = mutate;
      await mutate((db) => db.run("UPDATE people_users SET password = 'chosen by an Administrator'"));
      return mutate(change);
    };
    expect(await codeOf(people.changeOwnPassword(session, PASSWORD, 'a new password'))).toBe('conflict');
  });

  test('a user who is suspended while they change their own password gets no new session', async () => {
    const session = await setUp();
    const changed = people.changeOwnPassword(session, PASSWORD, 'a new password');
    people.hold({ kind: 'user', user: idOf('Ada'), active: false });
    expect(await codeOf(changed)).toBe('conflict');
  });

  test('a full disk keeps nobody from logging in', async () => {
    await setUp();
    vault.failWrites = true;
    expect((await people.logIn('Ada', PASSWORD, '127.0.0.1')).session.user.name).toBe('Ada');
  });
});

describe('log-in', () => {
  test('an unknown name, a wrong password and a deactivated user get the same response', async () => {
    const admin = await setUp();
    await people.createUser({ name: 'Bob', password: PASSWORD, roles: [] }, admin);
    await people.changeUser(idOf('Bob'), { active: false }, admin);
    const attempts = [
      people.logIn('Nobody', PASSWORD, '10.0.0.1'),
      people.logIn('Ada', 'wrong', '10.0.0.1'),
      people.logIn('Bob', PASSWORD, '10.0.0.1'),
    ];
    const answers = await Promise.all(attempts.map((attempt) => attempt.catch((error: unknown) => error)));
    const texts = answers.map((answer) => (answer instanceof SluiceError ? `${answer.code}: ${answer.message}` : 'in'));
    expect(new Set(texts)).toEqual(new Set(['login_failed: The name or the password is wrong.']));
  });

  test('after five failures the name has to wait from every address, and the right password too', async () => {
    await setUp();
    for (let i = 0; i < 5; i++) expect(await codeOf(people.logIn('Ada', 'wrong', `10.0.0.${i}`))).toBe('login_failed');
    expect(await codeOf(people.logIn('Ada', PASSWORD, '10.0.1.1'))).toBe('login_slowed');
    clock += 1000;
    expect(await codeOf(people.logIn('Ada', PASSWORD, '10.0.1.1'))).toBe('done');
  });

  test.each([-1, 1])('a clock that is set by %i h neither shortens nor lengthens the wait', async (hours) => {
    await setUp();
    for (let i = 0; i < 5; i++) expect(await codeOf(people.logIn('Ada', 'wrong', `10.0.0.${i}`))).toBe('login_failed');
    setOnMs = hours * 3_600_000;
    expect(await codeOf(people.logIn('Ada', PASSWORD, '10.0.1.1'))).toBe('login_slowed');
    clock += 1000;
    expect(await codeOf(people.logIn('Ada', PASSWORD, '10.0.1.1'))).toBe('done');
  });

  test('after five failures the address has to wait for every name', async () => {
    await setUp();
    for (let i = 0; i < 5; i++)
      expect(await codeOf(people.logIn(`nobody ${i}`, 'wrong', '10.0.0.1'))).toBe('login_failed');
    expect(await codeOf(people.logIn('Ada', PASSWORD, '10.0.0.1'))).toBe('login_slowed');
    expect(await codeOf(people.logIn('Ada', PASSWORD, '10.0.0.2'))).toBe('done');
  });

  test('all loopback addresses count as one', async () => {
    const admin = await setUp();
    await people.createUser({ name: 'Bob', password: PASSWORD, roles: [] }, admin);
    for (let i = 0; i < 5; i++) await codeOf(people.logIn(`nobody ${i}`, 'wrong', i === 0 ? '::1' : `127.0.0.${i}`));
    expect(await codeOf(people.logIn('Bob', PASSWORD, '127.9.9.9'))).toBe('login_slowed');
  });

  test('a name that logged in recently is not blocked by the failures of others at its address', async () => {
    await setUp();
    for (let i = 0; i < 11; i++) await codeOf(people.logIn(`nobody ${i}`, 'wrong', '127.0.0.1'));
    expect(await codeOf(people.logIn('Ada', PASSWORD, '127.0.0.1'))).toBe('done');
  });

  test('nor after a restart of the host', async () => {
    await setUp();
    people = open();
    for (let i = 0; i < 11; i++) await codeOf(people.logIn(`nobody ${i}`, 'wrong', '127.0.0.1'));
    expect(await codeOf(people.logIn('Ada', PASSWORD, '127.0.0.1'))).toBe('done');
  });

  test('nor by guesses at it by other users of the PC or from other addresses', async () => {
    await setUp();
    await people.logIn('Ada', PASSWORD, '127.0.0.1', 1000);
    for (let i = 0; i < 5; i++)
      expect(await codeOf(people.logIn('Ada', 'guess', '127.0.0.1', 1001))).toBe('login_failed');
    expect(await codeOf(people.logIn('Ada', 'guess', '127.0.0.1', 1001))).toBe('login_slowed');
    expect(await codeOf(people.logIn('Ada', 'guess', '10.0.0.1'))).toBe('login_slowed');
    expect(await codeOf(people.logIn('Ada', PASSWORD, '127.0.0.1', 1000))).toBe('done');
  });

  test('a known name at its address has its own limit, which ends after 30 days', async () => {
    await setUp();
    for (let i = 0; i < 5; i++) expect(await codeOf(people.logIn('Ada', 'wrong', '127.0.0.1'))).toBe('login_failed');
    expect(await codeOf(people.logIn('Ada', PASSWORD, '127.0.0.1'))).toBe('login_slowed');
    clock += LANE_MS;
    for (let i = 0; i < 5; i++) await codeOf(people.logIn(`nobody ${i}`, 'wrong', '127.0.0.1'));
    expect(await codeOf(people.logIn('Ada', PASSWORD, '127.0.0.1'))).toBe('login_slowed');
  });

  test('a wrong password in a change of password slows down no log-in', async () => {
    const session = await setUp();
    const change = () => codeOf(people.changeOwnPassword(session, 'wrong', 'a new password'));
    for (let i = 0; i < 5; i++) expect(await change()).toBe('login_failed');
    expect(await change()).toBe('login_slowed');
    expect(await codeOf(people.logIn('Ada', PASSWORD, '10.0.0.9'))).toBe('done');
  });

  test("a user's own log-in does not clear the failures of the address", async () => {
    await setUp();
    for (let i = 0; i < 4; i++) await codeOf(people.logIn(`nobody ${i}`, 'wrong', '10.0.0.1'));
    await people.logIn('Ada', PASSWORD, '10.0.0.1');
    expect(await codeOf(people.logIn('nobody 5', 'wrong', '10.0.0.1'))).toBe('login_failed');
    expect(await codeOf(people.logIn('nobody 6', 'wrong', '10.0.0.1'))).toBe('login_slowed');
  });

  test('concurrent guesses are slowed down like consecutive ones', async () => {
    await setUp();
    const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(people.logIn('Ada', 'wrong', '10.0.0.1'))));
    expect(codes.filter((code) => code === 'login_failed')).toHaveLength(5);
    expect(codes.filter((code) => code === 'login_slowed')).toHaveLength(15);
  });

  test.each([
    ['a user who is deactivated', 'UPDATE people_users SET active = 0'],
    ['a user who is given another password', "UPDATE people_users SET password = 'another hash'"],
  ])('%s while the old password is compared does not log in', async (_what, sql) => {
    await setUp();
    const { read } = vault;
    vault.read = (query) => {
      vault.read = read;
      const user = read(query);
      void vault.mutate((db) => db.run(sql));
      return user;
    };
    expect(await codeOf(people.logIn('Ada', PASSWORD, '127.0.0.1'))).toBe('login_failed');
  });
});

describe('rights to grant', () => {
  const manager: Permission[] = ['manage_users', 'view'];

  test('nobody creates a user with a role that holds more than they do', async () => {
    const bob = await personWith(await setUp(), 'Bob', manager);
    expect(await codeOf(people.createUser({ name: 'Eve', password: PASSWORD, roles: ['Administrator'] }, bob))).toBe(
      'permission_missing',
    );
    expect(await codeOf(people.createUser({ name: 'Eve', password: PASSWORD, roles: ['Viewer'] }, bob))).toBe('done');
  });

  test('nobody assigns a role that holds more than they do, even to themselves', async () => {
    const bob = await personWith(await setUp(), 'Bob', manager);
    const attempt = people.changeUser(idOf('Bob'), { roles: ['role of Bob', 'Engineer'] }, bob);
    await expect(attempt).rejects.toMatchObject({
      code: 'permission_missing',
      message: expect.stringContaining('edit_pipelines, run_pipelines, view_audit'),
    });
    expect(people.users().find((user) => user.name === 'Bob')?.roles).toEqual(['role of Bob']);
  });

  test('nobody creates or extends a role with a permission that they do not hold', async () => {
    const bob = await personWith(await setUp(), 'Bob', manager);
    expect(await codeOf(people.createRole({ name: 'Keys', permissions: ['access_settings'] }, bob))).toBe(
      'permission_missing',
    );
    const role = people.roles().find((candidate) => candidate.name === 'role of Bob');
    const attempt = people.changeRole(role?.id ?? '', { permissions: [...manager, 'access_settings'] }, bob);
    expect(await codeOf(attempt)).toBe('permission_missing');
  });

  test('nobody sets the password of a user who holds more', async () => {
    const bob = await personWith(await setUp(), 'Bob', manager);
    expect(await codeOf(people.changeUser(idOf('Ada'), { password: 'known to Bob' }, bob))).toBe('permission_missing');
    expect(await codeOf(people.logIn('Ada', PASSWORD, '127.0.0.1'))).toBe('done');
  });

  test('nobody reactivates a user who holds more', async () => {
    const admin = await setUp();
    const bob = await personWith(admin, 'Bob', manager);
    await people.createUser({ name: 'Old Engineer', password: PASSWORD, roles: ['Engineer'] }, admin);
    expect(await codeOf(people.changeUser(idOf('Old Engineer'), { active: false }, bob))).toBe('done');
    expect(await codeOf(people.changeUser(idOf('Old Engineer'), { active: true }, bob))).toBe('permission_missing');
    expect(await codeOf(people.changeUser(idOf('Old Engineer'), { active: true }, admin))).toBe('done');
  });

  test('rights that were removed while a password was hashed no longer count', async () => {
    const admin = await setUp();
    const bob = await personWith(admin, 'Bob', manager);
    const attempt = codeOf(people.createUser({ name: 'Eve', password: PASSWORD, roles: ['Viewer'] }, bob));
    await people.changeUser(idOf('Bob'), { active: false }, admin);
    expect(await attempt).toBe('permission_missing');
    expect(people.users().some((user) => user.name === 'Eve')).toBe(false);
  });

  test('users cannot change their own password without the old one', async () => {
    const admin = await setUp();
    expect(await codeOf(people.changeUser(idOf('Ada'), { password: 'another password' }, admin))).toBe('invalid');
  });

  test('the last active Administrator can neither be deactivated nor lose the role', async () => {
    const admin = await setUp();
    expect(await codeOf(people.changeUser(idOf('Ada'), { active: false }, admin))).toBe('conflict');
    expect(await codeOf(people.changeUser(idOf('Ada'), { roles: ['Viewer'] }, admin))).toBe('conflict');
    await people.createUser({ name: 'Grace', password: PASSWORD, roles: ['Administrator'] }, admin);
    expect(await codeOf(people.changeUser(idOf('Ada'), { active: false }, admin))).toBe('done');
    const grace = (await people.logIn('Grace', PASSWORD, '127.0.0.1')).session;
    expect(await codeOf(people.changeUser(idOf('Grace'), { active: false }, grace))).toBe('conflict');
  });

  test('a refused change changes nothing at all', async () => {
    const admin = await setUp();
    await codeOf(people.changeUser(idOf('Ada'), { roles: ['Viewer'], active: false }, admin));
    expect(people.users()[0]).toMatchObject({ roles: ['Administrator'], active: true });
  });

  test('the built-in roles have the specified permissions and cannot be changed', async () => {
    const admin = await setUp();
    const permissions = Object.fromEntries(people.roles().map((role) => [role.name, role.permissions]));
    expect(permissions).toEqual({
      Administrator: [...PERMISSIONS],
      Engineer: ['edit_pipelines', 'run_pipelines', 'view_audit', 'view'],
      Operator: ['manage_keys', 'run_pipelines', 'view'],
      Viewer: ['view'],
    });
    for (const role of people.roles())
      expect(await codeOf(people.changeRole(role.id, { permissions: [] }, admin))).toBe('conflict');
    expect(await codeOf(people.createRole({ name: 'administrator', permissions: [] }, admin))).toBe('conflict');
  });
});

describe('the command line', () => {
  test('sets a password and ends the sessions that had the old one', async () => {
    await setUp();
    const { cookie } = await people.logIn('Ada', PASSWORD, '127.0.0.1');
    await people.resetPassword('ada', 'from the console');
    expect(people.session(cookie)).toBeNull();
    expect(await codeOf(people.logIn('Ada', 'from the console', '127.0.0.1'))).toBe('done');
    expect(await codeOf(people.resetPassword('Nobody', 'from the console'))).toBe('unknown');
  });

  test('adds a user with existing roles', async () => {
    await people.addUser({ name: 'Bob', password: PASSWORD, roles: ['operator'] });
    expect(people.users()[0]?.roles).toEqual(['Operator']);
    expect(await codeOf(people.addUser({ name: 'Eve', password: PASSWORD, roles: ['Root'] }))).toBe('invalid');
  });
});
