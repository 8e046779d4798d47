import { beforeEach, expect, test } from 'vitest';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { AuditRow } from '#common/model/audit.ts';
import { VaultError } from '../vault/errors.ts';
import { commandHandler, type CommandParts } from './commands.ts';

type Row = Omit<AuditRow, 'time' | 'type'>;
let rows: Row[];
/** Rows that the journal does not accept. */
let refuses: (row: Row) => boolean;
let done: string[];
let outcome: () => Promise<void>;

beforeEach(() => {
  [rows, done] = [[], []];
  refuses = () => false;
  outcome = async () => void done.push('reset');
});

function reset(): Promise<unknown> {
  const record = async (row: Row) => {
    if (refuses(row)) throw new SluiceError('audit_unavailable', 'The audit journal cannot be written.');
    rows.push(row);
  };
  const parts = { audit: { record }, people: { resetPassword: () => outcome() } } as unknown as CommandParts;
  const request = { command: 'user-reset-password', name: 'Pat', password: 'another password' };
  return commandHandler(parts)(request, { body: new Uint8Array(), send: () => Promise.reject(new Error('no bytes')) });
}

test('an action has one row before it, and one with its outcome', async () => {
  await reset();
  expect(rows).toMatchObject([
    { act: 'user.change', target: 'Pat', user: 'command line' },
    { act: 'user.change', target: 'Pat', user: 'command line', status: 200 },
  ]);
  expect(new Set(rows.map((row) => row.requestId)).size).toBe(1);
});

test('an action that cannot be recorded is not done, and the response is an error', async () => {
  refuses = () => true;
  await expect(reset()).rejects.toMatchObject({
    code: 'audit_unavailable',
    message: 'The audit journal cannot be written. Nothing was done.',
  });
  expect(done).toEqual([]);
});

test('a completed action is reported as done if its outcome cannot be recorded, and is never recorded as failed', async () => {
  refuses = (row) => row.status === 200;
  await expect(reset()).rejects.toMatchObject({
    code: 'audit_unavailable',
    message: 'The audit journal cannot be written. The act was done, but its outcome is not in the journal.',
  });
  expect(done).toEqual(['reset']);
  expect(rows.map((row) => row.status)).toEqual([undefined]);
});

test('a failed action is recorded as such with its code, and gives the reason', async () => {
  outcome = () => Promise.reject(new VaultError('backup', 'The vault in the backup is damaged.'));
  await expect(reset()).rejects.toMatchObject({ code: 'invalid', message: 'The vault in the backup is damaged.' });
  outcome = () => Promise.reject(new Error('secret detail'));
  await expect(reset()).rejects.toMatchObject({ code: 'internal', message: expect.not.stringContaining('secret') });
  expect(rows.map(({ status, code }) => [status, code])).toEqual([
    [undefined, undefined],
    [400, 'invalid'],
    [undefined, undefined],
    [500, 'internal'],
  ]);
});
