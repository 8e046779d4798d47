import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHarness, type Harness } from './harness.testing.ts';

let folder: string;
let harness: Harness;
let empty: Harness;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docs-'));
  const docsDir = join(folder, 'docs');
  await mkdir(join(docsDir, 'guides'), { recursive: true });
  await writeFile(join(docsDir, 'index.html'), 'first page');
  await writeFile(join(docsDir, 'guides', 'install.html'), 'install');
  await writeFile(join(docsDir, '.hidden'), 'SECRET');
  await writeFile(join(folder, 'outside.txt'), 'SECRET');
  const distDir = join(folder, 'dist');
  await mkdir(distDir);
  await writeFile(join(distDir, 'index.html'), 'the UI');
  harness = await createHarness({ docsDir, distDir });
  empty = await createHarness({ docsDir: join(folder, 'nothing'), distDir });
});

afterAll(async () => {
  await harness?.close();
  await empty?.close();
  await rm(folder, { recursive: true });
});

test('the documentation is readable without a session, under a policy that allows only its own files', async () => {
  for (const [path, text] of [
    ['/docs/', 'first page'],
    ['/docs', 'first page'],
    ['/docs/guides/install.html', 'install'],
  ] as const) {
    const response = await fetch(harness.base + path);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(text);
    expect(new URL(response.url).pathname).toBe(path === '/docs' ? '/docs/' : path);
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    );
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('cache-control')).toBe('no-cache');
  }
});

test('a missing page gets 404 with a link to the documentation, never the UI', async () => {
  const response = await fetch(`${harness.base}/docs/guides/gone.html`);
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('There is no such page. <a href="/docs/">');
});

test('pages that are not built get 503 with the command that builds them', async () => {
  const response = await fetch(`${empty.base}/docs/`);
  expect(response.status).toBe(503);
  expect(await response.text()).toContain('npm run docs:site');
});

test('other methods, other hosts and paths outside the folder are refused', async () => {
  expect((await fetch(`${harness.base}/docs/`, { method: 'POST' })).status).toBe(404);
  const foreign = { host: '127.0.0.1', port: harness.port, path: '/docs/', headers: { host: 'elsewhere.example' } };
  const status = await new Promise((resolve, reject) => {
    request(foreign, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });
  expect(status).toBe(421);
  for (const path of ['/docs/..%2foutside.txt', '/docs/%2e%2e/outside.txt', '/docs/.hidden', '/docs/..%5coutside.txt'])
    expect(await (await fetch(harness.base + path)).text(), path).not.toContain('SECRET');
});
