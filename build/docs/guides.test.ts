import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '#test/service.ts';
import { until } from '#test/until.ts';
import { type GuideRequest, guideRequests } from './guide-requests.ts';

/**
 * Tests the guides: their requests against the whole service, their links against the files. Hosts of the plant are
 * replaced by this machine, which the gateway refuses to dial: nothing leaves it.
 */
const PLANT_HOST = /"10\.\d+\.\d+\.\d+"/g;
const DOCS = fileURLToPath(new URL('../../docs', import.meta.url));
const GUIDES = ['plant-data', 'databases', 'scripts'] as const;

let service: TestService;
beforeAll(async () => {
  service = await startService();
  await service.setUp();
});
afterAll(() => service.stop());

describe.each(GUIDES)('the guide %s', (name) => {
  test('has requests whose responses match the guide', async () => {
    const requests = guideRequests((await pageOf(name)).replaceAll(PLANT_HOST, '"127.0.0.1"'));
    expect(requests.length).toBeGreaterThan(2);
    for (const request of requests) await tryRequest(request);
  });
});

function pageOf(guide: string): Promise<string> {
  return readFile(join(DOCS, 'guides', `${guide}.md`), 'utf8');
}

/** A live value may not be available immediately; a read is repeated until it has the value in the guide. */
async function tryRequest(request: GuideRequest): Promise<void> {
  const { method, path, answer } = request;
  const ask = () => service.admin.request(method, path, request.body);
  let reply = await ask();
  if (path.endsWith('/read') && answer !== null)
    reply = await until(`${path} answers as the guide says`, async () => {
      const next = await ask();
      return isAs(next.body, answer) ? next : null;
    });
  const told = `${method} ${path} answered ${JSON.stringify(reply.body)}`;
  if (request.status === null) expect(Math.floor(reply.status / 100), told).toBe(2);
  else expect(reply.status, told).toBe(request.status);
  if (answer !== null) expect(isAs(reply.body, answer), told).toBe(true);
}

/** Equal, except for parts that the guide leaves open with `…`. */
function isAs(value: unknown, told: unknown): boolean {
  if (told === '…') return value !== undefined;
  if (typeof told !== 'object' || told === null) return value === told;
  if (typeof value !== 'object' || value === null) return false;
  const names = Object.keys(told);
  if (names.length !== Object.keys(value).length) return false;
  return names.every((one) => isAs(Reflect.get(value, one), Reflect.get(told, one)));
}

test('links between the documents lead to existing files and headings', async () => {
  const dead: string[] = [];
  for await (const file of glob('{*,guides/*,reference/*,decisions/*}.md', { cwd: DOCS })) {
    const text = await readFile(join(DOCS, file), 'utf8');
    for (const [, target = '', heading = ''] of text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g))
      if (!(await leads(join(DOCS, file), target, heading))) dead.push(`${file}: ${target}#${heading}`);
  }
  expect(dead).toEqual([]);
});

async function leads(from: string, target: string, heading: string): Promise<boolean> {
  const file = target === '' ? from : join(dirname(from), target);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) =>
    error.code === 'EISDIR' ? '' : null,
  );
  if (text === null || heading === '') return text !== null;
  return text.split('\n').some((line) => /^#+ /.test(line) && anchorOf(line) === heading);
}

function anchorOf(line: string): string {
  const title = line.replace(/^#+ /, '').toLowerCase();
  return title.replaceAll(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-');
}

test('a test file that a document names exists', async () => {
  const lost: string[] = [];
  for await (const file of glob('{*,guides/*,decisions/*}.md', { cwd: DOCS })) {
    const text = await readFile(join(DOCS, file), 'utf8');
    for (const [, path = ''] of text.matchAll(/`((?:gateway|main|plugins|common|test|build)\/[\w./-]+\.ts)`/g))
      await readFile(join(DOCS, '..', path), 'utf8').catch(() => lost.push(`${file}: ${path}`));
  }
  expect(lost).toEqual([]);
});
