import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { ProjectFile } from '#common/model/project-file.ts';
import { ROOT } from '#test/paths.ts';
import { call } from '#test/raw-request.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { ADMIN, startService, type TestService } from '#test/service.ts';
import { dirPerTest } from '#test/test-dir.ts';
import { runSluice } from './testing/sluice.ts';

/**
 * Projects as code against the whole service: the lines of the guide, and `kill -9` of the host during an apply, after
 * which the project is the old one or the new one, and its key answers as before. SLUICE_KILLS sets how often it is
 * killed (default 10); the moments approach the one at which the apply is stored.
 */
const KILLS = Number(process.env['SLUICE_KILLS'] ?? 10);
const PIPELINES = 30;
vi.setConfig({ testTimeout: 600_000 });
const folder = dirPerTest();

async function makeLine({ admin }: TestService): Promise<string> {
  await admin.ok('POST', '/projects', { id: 'line-7', name: 'Line 7' });
  await admin.ok('POST', '/projects/line-7/queries', { id: 'orders', sql: 'SELECT 1' });
  for (let n = 0; n < PIPELINES; n++) {
    const pipeline = routePipeline({ id: `job-${n}`, path: `/job/${n}`, ...fixedReply('done') });
    await admin.ok('POST', '/projects/line-7/pipelines', pipeline);
  }
  await admin.ok('POST', '/projects/line-7/pipelines/job-0/start', {});
  const made = await admin.ok<{ key: string }>('POST', '/projects/line-7/keys', { name: 'MES', scopes: [] });
  return made.key;
}

const pulled = ({ admin }: TestService) => admin.ok<ProjectFile>('GET', '/projects/line-7/export');

test('the lines of the guide work as they are written', async () => {
  await using service = await startService();
  await service.setUp();
  const key = await makeLine(service);
  const guide = readFileSync(join(ROOT, 'docs/guides/projects-as-code.md'), 'utf8');
  const lines = guide.split('\n').filter((line) => line.startsWith('sluice '));
  expect(lines).toHaveLength(7);
  const tokenFile = join(folder.path, 'ci.token');
  const { token } = await service.admin.ok<{ token: string }>('POST', '/tokens', {
    name: 'CI',
    permissions: ['view', 'edit_pipelines'],
    project: 'line-7',
    endsAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  writeFileSync(tokenFile, `${token}\n`);
  const run = async (line = '') => {
    const words = line.split(' ').slice(1);
    const given = words.map((word) =>
      word
        .replace('plant/', `${folder.path}/`)
        .replace(/^anna$/, ADMIN.name)
        .replace(/^ci\.token$/, tokenFile),
    );
    const options = { input: `${ADMIN.password}\n` };
    const { code, stdout, stderr } = await runSluice([...given, '--address', service.ready.ui], options);
    return { code, stdout, stderr };
  };
  const [pull, plan, apply, applyMany, applyLines, checkLines, check] = lines;
  expect(await run(pull)).toMatchObject({ code: 0, stdout: expect.stringContaining('files written') });
  expect(await run(check)).toMatchObject({ code: 0, stdout: expect.stringContaining('0 changes planned') });

  const file = join(folder.path, 'line-7/pipelines/job-0.json');
  const before = readFileSync(file, 'utf8');
  writeFileSync(file, before.replace('"name": "job-0"', '"name": "First job"'));
  expect(await run(check)).toMatchObject({ code: 2 });
  const environment = { SLUICE_TOKEN: token };
  const there = ['--address', service.ready.ui];
  const byVariable = await runSluice(['plan', join(folder.path, 'line-7'), '--check', ...there], { environment });
  expect(byVariable).toMatchObject({ code: 2 });
  const other = await runSluice(['plan', join(folder.path, 'line-7'), '--project', 'line-8', ...there], {
    environment,
  });
  expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('limited to the project line-7') });
  const sentence = '~ The pipeline "job-0" changes (name): revision 2 is saved. Revision 1 keeps running';
  expect(await run(plan)).toMatchObject({ code: 0, stdout: expect.stringContaining(sentence) });
  expect(await run(apply)).toMatchObject({ code: 0, stdout: expect.stringContaining('1 change applied') });
  expect(await run(apply)).toMatchObject({ code: 0, stdout: expect.stringContaining('0 changes applied') });
  expect(await run(pull)).toMatchObject({ code: 0, stdout: expect.stringContaining('0 files written, 0 deleted') });
  expect((await call(service.gatewayPort, { path: '/job/0', key })).status).toBe(200);

  // The routes of the other lines are the same: they are saved, and nothing of them is started.
  expect(await run(applyMany)).toMatchObject({ code: 0 });
  expect(await service.admin.ok('GET', '/projects/line-9')).toMatchObject({ name: 'line-9' });

  cpSync(join(folder.path, 'line-7'), join(folder.path, 'filler'), { recursive: true });
  const fillerFile = join(folder.path, 'filler/pipelines/job-0.json');
  writeFileSync(fillerFile, before.replace('"/job/0"', '"{{line.base_path}}/job"'));
  const [table = ''] = /(?<=```csv\n)[^`]*/.exec(guide) ?? [];
  writeFileSync(join(folder.path, 'filler/lines.csv'), table);
  expect(await run(applyLines)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/line-8: [1-9].*line-9: [1-9]/s),
  });
  expect(await run(checkLines)).toMatchObject({ code: 0, stdout: expect.stringMatching(/line-8: 0.*line-9: 0/s) });
  for (const line of ['line-8', 'line-9'])
    expect(JSON.stringify(await service.admin.ok('GET', `/projects/${line}/export`))).toContain(`"/${line}/job"`);
  const drifted = routePipeline({ id: 'job-1', path: '/other', ...fixedReply('done') });
  await service.admin.ok('PUT', '/projects/line-9/pipelines/job-1', drifted);
  expect(await run(checkLines)).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(/line-8: 0 changes.*~ The pipeline "job-1".*line-9: 1 changes/s),
  });
  expect(await run(`${applyLines} --project line-7`)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no row'),
  });
  const pullLines = await run(pull?.replace('plant/line-7', 'plant/filler'));
  expect(pullLines).toMatchObject({ code: 1, stderr: expect.stringContaining('lines.csv') });
  writeFileSync(fillerFile, before.replace('"/job/0"', '"{{line.path}}/job"'));
  const place = 'With the values of line-8:\npipelines/job-0.json: {{line.path}} has no value';
  expect(await run(applyLines)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(place) });

  writeFileSync(file, before.replace('"kind": "rest-api"', '"kind": 7'));
  expect(await run(plan)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('pipelines/job-0.json: nodes.0.kind: '),
  });
});

test('kill -9 during an apply leaves the old project or the new one, and every key answers', async () => {
  let service = await startService([], { dataDir: folder.path });
  await service.setUp();
  const key = await makeLine(service);
  const first = await pulled(service);
  const second: ProjectFile = {
    ...first,
    queries: first.queries.map((query) => ({ ...query, sql: 'SELECT 2' })),
    pipelines: first.pipelines.map((pipeline) => ({ ...pipeline, name: `${pipeline.name} of the line` })),
  };
  const planOf = (file: ProjectFile) => service.admin.ok<{ digest: string }>('POST', '/projects/line-7/plan', { file });
  const applied = async (file: ProjectFile, digest: string) => {
    await service.admin.request('POST', '/projects/line-7/apply', { file, digest });
  };
  const { digest } = await planOf(second);
  const begun = performance.now();
  await applied(second, digest);
  const span = performance.now() - begun;
  expect(await pulled(service)).toEqual(second);

  let now = second;
  // Bisects towards the moment at which an apply becomes the state of the project.
  let [early, late] = [0, span * 4];
  const seen = { old: 0, new: 0 };
  for (let n = 0; n < KILLS; n++) {
    const wanted = now === first ? second : first;
    const plan = await planOf(wanted);
    const applying = applied(wanted, plan.digest).catch(() => {});
    const at = (early + late) / 2;
    await delay(at);
    await service.kill9();
    await applying;
    service = await startService([], { dataDir: folder.path });
    await service.admin.logIn(ADMIN.name, ADMIN.password);
    const found = await pulled(service);
    const isNew = JSON.stringify(found) === JSON.stringify(wanted);
    if (!isNew) expect(found, `after kill ${n}`).toEqual(now);
    seen[isNew ? 'new' : 'old'] += 1;
    if (isNew) {
      now = wanted;
      [early, late] = [early * 0.9, at];
    } else [early, late] = [at, Math.max(late, at * 1.2)];
    expect((await call(service.gatewayPort, { path: '/job/0', key })).status).toBe(200);
    expect((await call(service.gatewayPort, { path: '/job/1', key })).status).toBe(404);
  }
  console.log(`${KILLS} kills: ${seen.old} old, ${seen.new} new`);
  expect(seen.old).toBeGreaterThan(0);
  expect(seen.new).toBeGreaterThan(0);
  await service.stop();
});
