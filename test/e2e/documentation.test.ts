import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ADMIN, startService, type TestService } from '#test/service.ts';
import { expectAccessible } from './accessible.ts';
import { CLEAN, openBrowser, openPage, type TestBrowser } from './chromium.ts';
import { logIn } from './steps.ts';

/**
 * The documentation pages in a real Chromium, as the service serves them: without a session and without foreign scripts
 * or styles.
 */
let service: TestService;
let browser: TestBrowser;
let window: Awaited<ReturnType<typeof openPage>>;
let page: Page;

beforeAll(async () => {
  service = await startService();
  browser = await openBrowser();
  window = await openPage(browser, service.ready.ui, { permissions: ['clipboard-read', 'clipboard-write'] });
  page = window.page;
});

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

afterEach(() => expect(window.watch).toEqual(CLEAN));

const visit = (path: string) => page.goto(`${service.ready.ui}/docs${path}`);
const search = () => page.getByRole('searchbox', { name: 'Search the documentation' });
const results = () => page.locator('#results a');

test('a search for "rate limit" finds the refusal and opens its heading', async () => {
  const response = await visit('');
  expect(response?.url()).toBe(`${service.ready.ui}/docs/`);
  await search().fill('rate limit');
  await results().first().waitFor();
  expect(await results().allInnerTexts()).toEqual(expect.arrayContaining([expect.stringMatching(/rate.limit/i)]));
  await search().press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\.html/);
  await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
});

test('a search without a result shows a message, and the typed text is never read as HTML', async () => {
  await visit('/');
  await search().fill('<img/qqqzzzqqq>');
  await page.getByRole('status').filter({ hasText: 'Nothing found for' }).waitFor();
  expect(await page.locator('.found img, #results li').count()).toBe(0);
  await search().press('Escape');
  await expect.poll(() => page.locator('#search-status').isVisible()).toBe(false);
});

test.each(['/', '/guides/call-a-route.html', '/reference/kinds.html', '/guides/receivers/receiver.py.html'])(
  'the page %s is accessible in light and dark',
  async (path) => {
    expect((await visit(path))?.status()).toBe(200);
    await expectAccessible(page, path);
  },
);

test('a code block can be copied', async () => {
  await visit('/guides/call-a-route.html');
  const block = page.locator('.code').first();
  await block.getByRole('button', { name: 'Copy' }).click();
  await block.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await block.locator('pre').innerText());
});

test('the choice of light or dark applies to the admin UI and the documentation', async () => {
  await page.emulateMedia({ colorScheme: 'light' });
  await visit('/');
  await page.getByRole('button', { name: 'Light or dark' }).click();
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('dark');
  await page.goto(service.ready.ui);
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
  await page.evaluate(() => localStorage.clear());
});

test('Help opens the documentation in the same window, and a link leads back', async () => {
  await service.setUp();
  await page.goto(service.ready.ui);
  await logIn(page, ADMIN);
  await page.goto(`${service.ready.ui}/help`);
  await page.getByRole('link', { name: 'Troubleshooting' }).click();
  await page.getByRole('heading', { level: 1, name: 'Troubleshooting' }).waitFor();
  await page.getByRole('link', { name: 'Open Sluice' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
});

test('a button opens the contents on a narrow screen', async () => {
  await page.setViewportSize({ width: 800, height: 600 });
  await visit('/guides/install.html');
  const contents = page.getByRole('navigation', { name: 'Contents' });
  expect(await contents.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Contents' }).click();
  await contents.getByRole('link', { name: 'Operate', exact: true }).click();
  await page.waitForURL(/operate\.html/);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(800);
});
