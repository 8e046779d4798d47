import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'tar';
import { ROOT } from '#test/paths.ts';
import { routePipeline, type RoutePipeline } from '#test/route-pipeline.ts';
import { startService, type TestService } from '#test/service.ts';
import { until } from '#test/until.ts';
import * as content from './old-data.ts';

/**
 * Creates a data folder with the code of an earlier commit, for old-data.test.ts:
 *
 *     node test/releases/make-old-data.ts NAME COMMIT [state] [outbox]
 *
 * The commit's sources run on this checkout's npm packages. Needs git.
 */
const SAME_TIME = new Date('2000-01-01T00:00:00Z');
/** Not kept: created by each start, or not regular files. */
const LEFT_OUT = /^(cache|control\.sock|lock\.sqlite(-journal)?|setup-token)$/;

const newPassword = (): string => randomBytes(18).toString('base64url');

async function main([name, commit, ...features]: readonly string[]): Promise<void> {
  if (name === undefined || commit === undefined || !features.every(isFeature)) {
    console.error('Expected: node test/releases/make-old-data.ts NAME COMMIT [state] [outbox]');
    process.exitCode = 1;
    return;
  }
  const scratch = mkdtempSync(join(tmpdir(), 'sluice-old-data-'));
  try {
    const sources = join(scratch, 'sources');
    takeSources(commit, sources);
    const dataDir = join(scratch, 'data');
    const secrets = await fill(sources, dataDir, features);
    const git = (...words: string[]): string => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim();
    const about: content.OldData = {
      commit: git('rev-parse', '--short=12', commit),
      date: git('log', '-1', '--format=%cd', '--date=format-local:%Y-%m-%d', commit),
      features,
      ...secrets,
    };
    mkdirSync(content.OLD_DATA_FOLDER, { recursive: true });
    writeFileSync(content.oldDataFile(name, 'json'), `${JSON.stringify(about, null, 2)}\n`);
    const kept = readdirSync(dataDir).filter((entry) => !LEFT_OUT.test(entry));
    const file = content.oldDataFile(name, 'tar.gz');
    await create({ file, cwd: dataDir, gzip: { level: 9 }, portable: true, mtime: SAME_TIME }, kept.toSorted());
    console.log(`${file}: ${kept.join(' ')}`);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

const isFeature = (name: string): name is content.Feature => content.FEATURES.some((one) => one === name);

function takeSources(commit: string, folder: string): void {
  mkdirSync(folder);
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 256 * 1024 ** 2 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

type Secrets = Pick<content.OldData, 'key' | 'revokedKey' | 'password'>;

async function fill(sources: string, dataDir: string, features: readonly content.Feature[]): Promise<Secrets> {
  const program = [process.execPath, join(sources, 'main/service.ts')] as const;
  const service = await startService([], { dataDir, program });
  const { admin, ready } = service;
  const password = newPassword();
  await service.setUp(password);
  await admin.ok('POST', '/projects', { id: content.PROJECT, name: 'Line' });
  await admin.ok('POST', '/users', { name: content.VIEWER, password, roles: ['Viewer'] });
  const url = (path: string): string => `${ready.gateway}${path}`;
  const call = async (path: string, key: string): Promise<number> => {
    const answer = await fetch(url(path), { headers: { 'X-API-Key': key } });
    await answer.arrayBuffer();
    return answer.status;
  };
  const kept = await makeKey(service, 'kept');
  const revoked = await makeKey(service, 'revoked');
  await start(service, { id: 'doubled', path: '/doubled', middle: [DOUBLE] });
  await until('the route answers', async () => (await call('/doubled?n=21', kept.key)) === 200);
  await call('/doubled?n=21', revoked.key);
  await admin.ok('POST', `/projects/${content.PROJECT}/keys/${revoked.id}/revoke`, {});
  if ((await call('/doubled?n=21', revoked.key)) !== 401) throw new Error('a revoked key was not refused');
  if (features.includes('state')) await keepState(service, () => call('/keep', kept.key));
  if (features.includes('outbox')) await keepEvent(service, () => call('/report', kept.key));
  const code = await service.stop();
  if (code !== 0) throw new Error(`the service ended with ${code}`);
  return { key: kept.key, revokedKey: revoked.key, password };
}

const DOUBLE = {
  kind: 'transform',
  settings: { code: 'export default (msg) => ({ status: 200, body: { doubled: msg.payload.query.n * 2 } })' },
};

async function start({ admin }: TestService, options: RoutePipeline & { id: string }): Promise<void> {
  const pipelines = `/projects/${content.PROJECT}/pipelines`;
  await admin.ok('POST', pipelines, routePipeline(options));
  await admin.ok('POST', `${pipelines}/${options.id}/start`, {});
}

async function makeKey({ admin }: TestService, name: string): Promise<{ key: string; id: string }> {
  const scopes = ['tag:read', 'tag:write', 'vars:read', 'vars:write', 'hist:read'];
  const made = await admin.ok<{ key: string; record: { id: string } }>('POST', `/projects/${content.PROJECT}/keys`, {
    name,
    scopes,
  });
  return { key: made.key, id: made.record.id };
}

async function keepState(service: TestService, call: () => Promise<number>): Promise<void> {
  const { path, value } = content.TAG;
  await service.admin.ok('POST', `/projects/${content.PROJECT}/tags`, {
    path,
    type: 'number',
    writable: true,
    source: { provider: 'memory' },
    history: {},
  });
  const code = `export default async () => {
  await vars.set(${JSON.stringify(content.VARIABLE.name)}, ${content.VARIABLE.value});
  await tags.write(${JSON.stringify(path)}, ${value});
  return { status: 200, body: 'kept' };
}`;
  const middle = [{ kind: 'transform', settings: { scopes: ['vars:write', 'tag:write'], code } }];
  await start(service, { id: 'keep', path: '/keep', middle });
  if ((await call()) !== 200) throw new Error('the pipeline "keep" failed');
}

async function keepEvent(service: TestService, call: () => Promise<number>): Promise<void> {
  await service.admin.ok('PATCH', '/settings', { allowedInternalTargets: [content.TARGET] });
  const staticHeaders = { Authorization: `Bearer ${newPassword()}` };
  const settings = { mode: 'egress', method: 'POST', url: `http://${content.TARGET}/reports`, timeout: 0.5 };
  const middle = [{ kind: 'rest-api', port: 'queued', settings: { ...settings, staticHeaders } }];
  await start(service, { id: 'report', path: '/report', middle });
  const status = await call();
  if (status >= 300) throw new Error(`the pipeline "report" answered ${status}`);
}

await main(process.argv.slice(2));
