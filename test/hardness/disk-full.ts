/**
 * `node test/hardness/disk-full.ts [--size MIB]... [--writer NAME]...`: a data folder on a small disk (tmpfs), filled
 * by each writer in turn, then by another program to the last byte. Needs root on Linux: it mounts in a namespace of
 * its own, which ends with it.
 *
 * Judged for each: what the writer is refused with and what it leaves free, that calls of another project are answered
 * or get 503, which alarms stand and whom they name, that a revocation and a stop hold, that the service starts again,
 * that a person can log in and delete, and that it serves as before after that.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { STOPPED_STATUS } from '#common/errors/gateway-codes.ts';
import { BALLAST_BYTES } from '#common/node/disk-space.ts';
import { call } from '#test/raw-request.ts';
import { routePipeline } from '#test/route-pipeline.ts';
import { ADMIN, startService, type TestService } from '#test/service.ts';
import { tempDir } from '#test/temp-dir.ts';
import { until } from '#test/until.ts';
import { createVerdict } from '#test/verdict.ts';

const MIB = 1024 ** 2;
const IN_NAMESPACE = 'SLUICE_DISK_TRIAL';
const REFUSED_IN_A_ROW = 20;
const CALLS_MAX = 20_000;
const VICTIM_CALLS = 50;
/** A writer that stores less does not show anything about the reserve. */
const STORED_MIN = 2 * MIB;
/** Depends on the size of the disk: small enough that space remains above it. */
const RESERVE_SHARE = 0.2;

const body = (bytes: number) => 'x'.repeat(bytes);
/** The name of the writer, its node, the scopes, and the content of a call. */
const WRITERS = {
  files: {
    nodes: [{ kind: 'file-write', settings: { path: 'f-{{payload.body.n}}.txt', format: 'json' } }],
    scopes: ['file:write'],
    bytes: MIB - 1024,
  },
  database: {
    nodes: [
      { kind: 'sql', settings: { sql: 'CREATE TABLE IF NOT EXISTS t (b TEXT)' } },
      { kind: 'sql', settings: { sql: 'INSERT INTO t VALUES (:b)', params: { b: '{{payload.body.b}}' } } },
    ],
    scopes: ['db:write'],
    bytes: 512 * 1024,
  },
  variables: {
    nodes: [{ kind: 'variable-write', settings: { name: 'v/{{payload.body.n}}', from: 'payload.body' } }],
    scopes: ['vars:write'],
    bytes: 200 * 1024,
  },
  outbox: {
    nodes: [
      {
        kind: 'rest-api',
        port: 'queued',
        settings: { mode: 'egress', method: 'POST', url: 'http://127.0.0.1:9/x', staticHeaders: {}, timeout: 1 },
      },
    ],
    scopes: [],
    bytes: 512 * 1024,
  },
  /** Each value is recorded; the call succeeds whether or not it is. */
  history: {
    nodes: [{ kind: 'tag-write', settings: { writes: [{ tag: 'note', from: 'payload.body.b' }] } }],
    scopes: ['tag:write'],
    bytes: 60 * 1024,
  },
  journal: { nodes: [], scopes: [], bytes: 0 },
  /** By a user: projects are imported. */
  uploads: { nodes: [], scopes: [], bytes: 4 * MIB },
} as const;
type Writer = keyof typeof WRITERS;
/** The journal belongs to no project. */
const NAMED_WRITERS: readonly Writer[] = ['files', 'database', 'variables', 'outbox', 'history', 'uploads'];

const { values } = parseArgs({
  options: {
    size: { type: 'string', multiple: true, default: ['120', '300'] },
    writer: { type: 'string', multiple: true, default: Object.keys(WRITERS) },
  },
});
if (process.env[IN_NAMESPACE] === undefined) {
  const again = ['-m', '--propagation', 'private', process.execPath, ...process.argv.slice(1)];
  const ended = spawnSync('unshare', again, { stdio: 'inherit', env: { ...process.env, [IN_NAMESPACE]: '1' } });
  process.exit(ended.status ?? 1);
}

const verdict = createVerdict();
const rows: Record<string, unknown>[] = [];
for (const size of values.size.map(Number))
  for (const writer of values.writer) rows.push(await trial(size, writer as Writer));
console.table(rows);
verdict.end();

async function trial(mib: number, writer: Writer): Promise<Record<string, unknown>> {
  await using dir = await tempDir('sluice-disk-full-');
  const disk = join(dir.path, 'disk');
  await mkdir(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'tmpfs', disk]);
  try {
    return await trialOn(disk, mib, writer);
  } finally {
    execFileSync('umount', ['-l', disk]);
  }
}

async function trialOn(disk: string, mib: number, writer: Writer): Promise<Record<string, unknown>> {
  const dataDir = join(disk, 'data');
  const filling = join(disk, 'filling');
  const reserve = Math.floor(mib * RESERVE_SHARE) * MIB;
  const judge = (met: boolean, text: string) => verdict.judge(met, `${mib} MiB, ${writer}: ${text}`);
  const free = async () => {
    const { bavail, bsize } = await statfs(disk);
    return bavail * bsize;
  };
  let service = await startService([], { dataDir });
  await service.setUp();
  // The host creates it after a minute.
  await writeFile(join(dataDir, 'ballast'), randomBytes(BALLAST_BYTES), { mode: 0o600 });
  await service.admin.ok('PATCH', '/settings', { diskReserveBytes: reserve, allowedInternalTargets: ['127.0.0.1:9'] });
  const keys = await makeProjects(service, writer);
  await until('the free space is known', async () => (await service.status()).alarms.length >= 0);

  const { stored, refusal } =
    writer === 'uploads' ? await uploadAll(service) : await greedy(service, keys.greedy, writer, 2 * mib * MIB);
  const left = await free();
  const filled = await alarmsOf(service);
  const names = namesGreedy(filled, writer);
  const victimAtReserve = await victim(service, keys.victim);
  judge(victimAtReserve.other === 0, `calls of another project: ${JSON.stringify(victimAtReserve)}`);
  if (writer !== 'journal') {
    judge(stored >= STORED_MIN, `the writer stored ${Math.round(stored / MIB)} MiB, then ${refusal}`);
    judge(
      left >= reserve - 8 * MIB,
      `${Math.round(left / MIB)} MiB of ${reserve / MIB} MiB reserve left by the writer`,
    );
    judge(
      names || left > 2 * reserve,
      `below twice the reserve an alarm names the writer: ${filled.map(({ code }) => code).join(' ')}`,
    );
  }

  await fillUp(filling);
  await until('the disk is known to be full', async () =>
    (await service.status()).alarms.some(({ code }) => code === 'disk_full'),
  );
  const named = namesGreedy(await alarmsOf(service), writer);
  judge(named || !NAMED_WRITERS.includes(writer), `the alarm of a full disk names the writer: ${named}`);
  // Space that the ballast released is filled too.
  await fillUp(filling);
  const victimWhenFull = await victim(service, keys.victim);
  judge(victimWhenFull.other === 0, `calls on a full disk: ${JSON.stringify(victimWhenFull)}`);
  const revoked = await service.admin.request('POST', `/projects/greedy/keys/${keys.greedy.id}/revoke`);
  const stopped = await service.admin.request('POST', '/projects/other/pipelines/second/stop');
  const afterRevoke = (await call(service.gatewayPort, { path: '/ping', key: keys.greedy.value })).status;
  const afterStop = (await call(service.gatewayPort, { path: '/second', key: keys.victim.value })).status;
  judge(
    [401, 503].includes(afterRevoke),
    `the key is refused after its revocation (${revoked.status}): ${afterRevoke}`,
  );
  judge(
    [STOPPED_STATUS, 503].includes(afterStop),
    `the route is gone after its stop (${stopped.status}): ${afterStop}`,
  );

  await service.stop();
  service = await startService([], { dataDir });
  await using last = service;
  await last.admin.logIn(ADMIN.name, ADMIN.password);
  const deleted = await deleteStored(last, writer);
  judge(deleted, 'after a restart a person logs in and deletes');
  await rm(filling);
  const recovered = await until('calls are served as before', async () => {
    const { ok } = await victim(last, keys.victim);
    return ok === VICTIM_CALLS;
  }).then(
    () => true,
    () => false,
  );
  judge(recovered, 'all calls of the other project are answered when there is room');
  const lastRevoke = (await call(last.gatewayPort, { path: '/ping', key: keys.greedy.value })).status;
  judge(revoked.status !== 200 || lastRevoke === 401, `a saved revocation holds over the restart: ${lastRevoke}`);
  return {
    MiB: mib,
    writer,
    'stored MiB': Math.round(stored / MIB),
    refusal,
    'left MiB': Math.round(left / MIB),
    'other project': `${victimAtReserve.ok} ok, ${victimAtReserve.unavailable} 503`,
    alarms: filled
      .map(({ code }) => code)
      .filter((code) => code.startsWith('disk'))
      .join(' '),
    named: names,
    'named when full': named,
    'when full': `${victimWhenFull.ok} ok, ${victimWhenFull.unavailable} 503`,
    revoke: `${revoked.status}, then ${afterRevoke}, at last ${lastRevoke}`,
    stop: `${stopped.status}, then ${afterStop}`,
    restart: 'ok',
    deleted,
    recovered,
  };
}

interface DiskAlarm {
  readonly code: string;
  readonly text: string;
}

async function alarmsOf(service: TestService): Promise<DiskAlarm[]> {
  return (await service.status()).alarms.map(({ code, text }) => ({ code, text }));
}

/** Uploads are projects of their own; rows of history name no pipeline. */
function namesGreedy(alarms: readonly DiskAlarm[], writer: Writer): boolean {
  const who = { uploads: 'up-', history: 'greedy (' }[writer as string] ?? 'greedy, pipeline store (';
  return alarms.some(({ code, text }) => code.startsWith('disk_') && text.includes(who));
}

interface Key {
  id: string;
  value: string;
}

async function makeProjects({ admin }: TestService, writer: Writer): Promise<{ greedy: Key; victim: Key }> {
  const { nodes, scopes } = WRITERS[writer];
  const makeKey = async (project: string, given: readonly string[]): Promise<Key> => {
    const made = await admin.ok<{ key: string; record: { id: string } }>('POST', `/projects/${project}/keys`, {
      name: 'caller',
      scopes: given,
    });
    return { id: made.record.id, value: made.key };
  };
  await admin.ok('POST', '/projects', { id: 'greedy', name: 'Greedy' });
  await admin.ok('POST', '/projects', { id: 'other', name: 'Other' });
  if (writer === 'history') {
    const source = { provider: 'memory', initial: null };
    await admin.ok('POST', '/projects/greedy/tags', {
      path: 'note',
      type: 'text',
      writable: true,
      source,
      history: {},
    });
  }
  const middle = nodes.map((node) => ({ ...node, settings: { ...node.settings } }));
  const route = { method: 'POST', path: '/store', middle, route: { timeout: 5 }, reply: { body: 'stored' } } as const;
  await admin.run('greedy', routePipeline({ id: 'store', ...route }));
  await admin.run('greedy', routePipeline({ id: 'ping', path: '/ping', reply: { body: 'pong' } }));
  await admin.run('other', routePipeline({ id: 'first', path: '/first', reply: { body: 'first' } }));
  await admin.run('other', routePipeline({ id: 'second', path: '/second', reply: { body: 'second' } }));
  return { greedy: await makeKey('greedy', scopes), victim: await makeKey('other', []) };
}

/** Bytes that were accepted, and what ended the writing. */
interface Written {
  readonly stored: number;
  readonly refusal: string;
}

/** Calls until enough consecutive ones are refused. */
async function greedy(service: TestService, key: Key, writer: Writer, bytesMax: number): Promise<Written> {
  const { bytes } = WRITERS[writer];
  let [stored, refused, refusal] = [0, 0, 'nothing'];
  const calls = writer === 'journal' ? 2_000 : CALLS_MAX;
  for (let n = 0; n < calls && refused < REFUSED_IN_A_ROW && stored <= bytesMax; n++) {
    const sent = JSON.stringify({ n, b: `${n} ${body(bytes)}` });
    const answer = await call(service.gatewayPort, {
      method: 'POST',
      path: '/store',
      key: key.value,
      headers: { 'Content-Type': 'application/json' },
      body: sent,
    });
    // 202: queued in the outbox.
    if (answer.status < 300) {
      stored += bytes;
      refused = 0;
    } else {
      refused += 1;
      refusal = `${answer.status} ${(JSON.parse(String(answer.body)) as { code?: string }).code}`;
    }
  }
  return { stored, refusal };
}

/** Until one is refused. */
async function uploadAll({ admin }: TestService): Promise<Written> {
  const { bytes } = WRITERS.uploads;
  const file = await admin.ok<{ scripts: unknown[] }>('GET', '/projects/greedy/export');
  const code = `export default () => 1; // ${body(250 * 1024)}`;
  const scripts = Array.from({ length: 16 }, (_, n) => ({ id: `s-${n}`, code }));
  for (let n = 0; ; n++) {
    const sent = { file: { ...file, scripts, pipelines: [] }, id: `up-${n}` };
    const { status } = await admin.request('POST', '/projects/import', sent);
    if (status !== 201) return { stored: n * bytes, refusal: String(status) };
  }
}

async function victim(service: TestService, key: Key) {
  const seen = { ok: 0, unavailable: 0, other: 0 };
  for (let n = 0; n < VICTIM_CALLS; n++) {
    const { status } = await call(service.gatewayPort, { path: '/first', key: key.value });
    if (status === 200) seen.ok += 1;
    else if (status === 503) seen.unavailable += 1;
    else seen.other += 1;
  }
  return seen;
}

/** Until the disk is completely full; space that is released later is filled by another call. */
async function fillUp(file: string): Promise<void> {
  for (let size = MIB; size >= 1024; size /= 4) {
    const piece = Buffer.alloc(size, 1);
    while (await fits(file, piece));
  }
}

function fits(file: string, piece: Uint8Array): Promise<boolean> {
  return writeFile(file, piece, { flag: 'a' }).then(
    () => true,
    () => false,
  );
}

async function deleteStored({ admin }: TestService, writer: Writer): Promise<boolean> {
  if (writer === 'uploads') {
    const { status } = await admin.request('DELETE', '/projects/up-0');
    return status < 300;
  }
  if (writer === 'files') {
    const { status } = await admin.request('DELETE', '/projects/greedy/files/f-0.txt');
    return status < 300;
  }
  await admin.request('POST', '/projects/greedy/pipelines/store/stop');
  const { status } = await admin.request('DELETE', '/projects/other/pipelines/second');
  return status < 300;
}
