import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { call } from '#test/raw-request.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { ADMIN, startService, type TestService } from '#test/service.ts';

/**
 * A service that uses many keys and secrets: each key is used, also in wrong ways; then every file of the data folder,
 * all output, the processes' arguments and environments, and every reply of the admin API are searched for any of them,
 * unencrypted, as base64 or as hex.
 */
export interface SecretsReport {
  readonly secrets: number;
  readonly calls: number;
  readonly replies: number;
  readonly files: number;
  readonly bytes: number;
  /** The place and the type of a secret that was found, never the secret. */
  readonly found: readonly string[];
}

/** This many characters identify a secret: 12 of base62 are 71 bits. */
const MARK_CHARS = 12;
const AT_ONCE = 8;
/** One of so many keys is rotated, one revoked; their old values are secrets still. */
const ACT_ON_EVERY = 50;
const PROJECT = 'line';

interface Secret {
  readonly kind: string;
  readonly value: string;
}

/** `plant` puts one of the keys where it must not be, to check that the search finds it. */
export async function searchForSecrets(keyCount: number, plant?: (key: string) => string): Promise<SecretsReport> {
  await using service = await startService();
  await service.setUp();
  const secrets: Secret[] = [{ kind: 'password of a person', value: ADMIN.password }];
  await fill(service, secrets);
  const keys = await makeKeys(service, keyCount);
  secrets.push(...keys.map((value) => ({ kind: 'API key', value })));
  const calls = await useKeys(service, keys);
  const search = new Search(secrets);
  if (plant) await writeFile(join(service.dataDir, 'planted'), plant(keys[0] ?? ''));
  const replies = await searchReplies(service, search);
  for (const pid of await family(service.pid)) {
    search.look(`arguments of process ${pid}`, await readFile(`/proc/${pid}/cmdline`));
    search.look(`environment of process ${pid}`, await readFile(`/proc/${pid}/environ`));
  }
  await searchFiles(service.dataDir, search);
  search.look('standard error', Buffer.from(service.log()));
  return {
    secrets: secrets.length,
    calls,
    replies,
    files: search.places,
    bytes: search.bytes,
    found: [...search.found].toSorted(),
  };
}

/** A project with one of each object that contains a secret. */
async function fill({ admin }: TestService, secrets: Secret[]): Promise<void> {
  const secret = (kind: string): string => {
    const value = randomBytes(24).toString('base64url');
    secrets.push({ kind, value });
    return value;
  };
  await admin.ok('POST', '/projects', { id: PROJECT, name: 'Line' });
  await admin.ok('PATCH', '/settings', { allowedInternalTargets: ['127.0.0.1:9'] });
  const target = { mode: 'egress', method: 'POST', url: 'http://127.0.0.1:9/events', timeout: 0.5 };
  const staticHeaders = { Authorization: `Bearer ${secret('header of an egress node')}` };
  const egress = { kind: 'rest-api', port: 'queued', settings: { ...target, staticHeaders } };
  const pipelines = [
    routePipeline({ id: 'plain', method: '*', path: '/plain', ...fixedReply({ ok: true }) }),
    routePipeline({ id: 'seen', method: '*', path: '/seen/:what', route: { headerWhitelist: ['x-trace'] } }),
    routePipeline({ id: 'stored', method: '*', path: '/stored', middle: [egress] }),
  ];
  for (const pipeline of pipelines) await admin.run(PROJECT, pipeline);
  const database = { host: '127.0.0.1', port: 9, database: 'mes', user: 'sluice' };
  await admin.ok('POST', `/projects/${PROJECT}/connections`, {
    id: 'mes',
    name: 'MES',
    settings: { kind: 'postgresql', ...database, password: secret('password of a database') },
  });
  await admin.ok('POST', '/users', { name: 'eve', password: secret('password of a person'), roles: ['Viewer'] });
  await admin.request('POST', '/session', { name: 'eve', password: secret('wrong password of a person') });
}

async function makeKeys({ admin }: TestService, count: number): Promise<string[]> {
  const values: string[] = [];
  const scopes = ['db:read', 'tag:read'];
  let made = 0;
  const maker = async (): Promise<void> => {
    while (made < count) {
      const index = made++;
      const name = `machine ${index}`;
      const { key, record } = await admin.ok<{ key: string; record: { id: string } }>(
        'POST',
        `/projects/${PROJECT}/keys`,
        { name, scopes },
      );
      values.push(key);
      if (index % ACT_ON_EVERY === 1) await admin.ok('POST', `/projects/${PROJECT}/keys/${record.id}/revoke`, {});
      if (index % ACT_ON_EVERY !== 2) continue;
      const { key: next } = await admin.ok<{ key: string }>(
        'POST',
        `/projects/${PROJECT}/keys/${record.id}/rotate`,
        {},
      );
      values.push(next);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, maker));
  return values;
}

/** Correct calls, and typical mistakes. Returns the number of calls. */
async function useKeys({ gatewayPort }: TestService, keys: readonly string[]): Promise<number> {
  const left = [...keys.entries()];
  let calls = 0;
  const caller = async (host: string): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [index, key] = next;
      for (const request of waysOf(index, key)) {
        await call(gatewayPort, { ...request, connect: { localAddress: host } });
        calls += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => caller(`127.0.0.${index + 2}`)));
  return calls;
}

type Call = Parameters<typeof call>[1];

function waysOf(index: number, key: string): Call[] {
  const right: Call = { path: '/plain', key };
  const typing = `${key.slice(0, -3)}${key.endsWith('aaa') ? 'bbb' : 'aaa'}`;
  const wrong: Call[] = [
    { path: '/plain', key: typing },
    { path: '/nowhere', key },
    { path: '/plain', key: ` ${key} ${key}` },
    { path: '/plain', headers: { Authorization: `Bearer ${key}` } },
    { path: `/plain?api_key=${key}` },
    { path: `/seen/it?key=${key}`, key },
    { path: '/seen/it', key, headers: { 'X-Trace': key } },
    { path: '/stored', key },
    { path: `/${key}` },
  ];
  return [right, wrong[index % wrong.length] ?? right];
}

/** Every read call that needs no ID, and those of one object of each type. */
async function searchReplies({ admin }: TestService, search: Search): Promise<number> {
  const document = await admin.ok<{ paths: Record<string, Record<string, unknown>> }>('GET', '/openapi.json');
  const { items: keys } = await admin.ok<{ items: { id: string }[] }>('GET', `/projects/${PROJECT}/keys`);
  const ids: Record<string, string> = { project: PROJECT, connection: 'mes', key: keys[0]?.id ?? '' };
  let replies = 0;
  const look = async (method: string, path: string, body?: unknown): Promise<void> => {
    const reply = await admin.request(method, path, body);
    search.look(`${method} ${path}`, Buffer.from(JSON.stringify([...reply.headers, reply.body])));
    replies += 1;
  };
  for (const [path, calls] of Object.entries(document.paths)) {
    if (!('get' in calls) || path.endsWith('/events')) continue;
    for (const pipeline of path.includes('{pipeline}') ? ['plain', 'seen', 'stored'] : ['']) {
      const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => ({ ...ids, pipeline })[name] ?? whole);
      if (!filled.includes('{')) await look('GET', filled.replace(/^\/api\/v1/, ''));
    }
  }
  await look('POST', `/projects/${PROJECT}/connections/mes/test`, {});
  return replies;
}

async function searchFiles(folder: string, search: Search): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    // The vault's own secret is stored here because there is no keychain; it is not one of the searched secrets.
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path);
    search.look(path.slice(folder.length), path.endsWith('.gz') ? gunzipSync(bytes) : bytes);
  }
}

async function family(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return [pid, ...children.split(' ').filter(Boolean).map(Number)];
}

/** Searches for marks of all secrets at once: one pass over the bytes, regardless of their number. */
class Search {
  readonly found = new Set<string>();
  places = 0;
  bytes = 0;
  readonly #marks = new Map<string, string>();

  constructor(secrets: readonly Secret[]) {
    for (const { kind, value } of secrets) for (const text of formsOf(value)) this.#marks.set(text, kind);
  }

  look(place: string, bytes: Buffer): void {
    this.places += 1;
    this.bytes += bytes.length;
    const text = bytes.toString('latin1');
    for (let at = 0; at + MARK_CHARS <= text.length; at++) {
      const kind = this.#marks.get(text.slice(at, at + MARK_CHARS));
      if (kind !== undefined) this.found.add(`${kind} in ${place}`);
    }
  }
}

/** The first characters of its secret part, plain and encoded; base64 at each of its three offsets. */
function formsOf(value: string): string[] {
  // For a key, the part after its ID.
  const secret = value.startsWith('slc_') ? value.slice(17) : value;
  const bytes = Buffer.from(secret.slice(0, 30));
  const base64 = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(4, 4 + MARK_CHARS),
  );
  const digest = createHash('sha256').update(value).digest('hex');
  return [
    secret.slice(0, MARK_CHARS),
    bytes.toString('hex').slice(0, MARK_CHARS),
    ...base64,
    digest.slice(0, MARK_CHARS),
  ];
}
