import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { freePort } from '#test/free-port.ts';
import { ADMIN, startService, type TestService } from '#test/service.ts';
import { expectAccessible } from './accessible.ts';
import { openBrowser, openPage, type TestBrowser, type Watch } from './chromium.ts';
import { logIn } from './steps.ts';

/**
 * The window while its values may no longer be true (docs/spec/ui.md#old-values): a host that hangs and keeps its sockets
 * open, a gateway that hangs, and a service that is gone.
 */
const STORY_MS_MAX = 120_000;
let service: TestService;
let browser: TestBrowser;
let window: { page: Page; watch: Watch; close(): Promise<void> };
let page: Page;

beforeAll(async () => {
  service = await startService(['--gateway-port', String(await freePort())]);
  await service.setUp();
  await service.admin.ok('POST', '/projects/sample', {});
  browser = await openBrowser();
}, STORY_MS_MAX);

afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

beforeEach(async () => {
  window = await openPage(browser, service.ready.ui);
  ({ page } = window);
  await page.goto(service.ready.ui);
  await logIn(page, ADMIN);
  await page.getByText('5 of 5 routes answer.').waitFor();
});

afterEach(async () => {
  const { watch } = window;
  await window.close();
  expect(watch).toEqual({ violations: [], foreignRequests: [], pageErrors: [] });
});

/** Runs `act` while the process is stopped, like a hung one. */
async function whileStopped(pid: number, act: () => Promise<void>): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  try {
    await act();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

const bar = () => page.getByRole('banner');
const old = () => page.getByText(/^No response from Sluice since \d\d:\d\d:\d\d\. Showing the last known values\.$/);
const open = (name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();

/** One note on the page, and no values that claim to be current. */
async function expectOld(): Promise<void> {
  await old().waitFor();
  expect(await page.getByRole('alert').count()).toBe(1);
  expect(await page.getByText(/No alarms or warnings|Gateway running|routes answer\.|This action failed/).count()).toBe(
    0,
  );
  expect(await page.getByRole('img', { name: 'Answers' }).count()).toBe(0);
}

test(
  'a host that hangs marks every page as outdated within seconds, before any call fails',
  { timeout: STORY_MS_MAX },
  async () => {
    // Loaded before: parts of a page that was never opened cannot be loaded now.
    await open('Routes');
    await page.getByText('5 of 5 routes answer').waitFor();
    await open('Overview');
    await page.getByText('5 of 5 routes answer.').waitFor();
    // A page that is left ends its own calls, so only later ones count.
    const failed: string[] = [];
    page.on('requestfailed', (request) => request.url().includes('/api/') && failed.push(request.url()));
    await whileStopped(service.pid, async () => {
      await expectOld();
      expect(failed).toEqual([]);
      await bar()
        .getByText(/^No response for \d+ s$/)
        .waitFor();
      await expectAccessible(page, 'old values');
      await open('Routes');
      await old().waitFor();
      expect(await page.getByText('Answers', { exact: true }).count()).toBe(0);
      await open('Overview');
      await expectOld();
    });
    await page.getByText('5 of 5 routes answer.').waitFor();
    await bar().getByText('Gateway running').waitFor();
  },
);

test('a gateway that hangs is shown as such long before it is killed', { timeout: STORY_MS_MAX }, async () => {
  const { pid } = (await service.status()).gateway;
  await whileStopped(pid ?? 0, async () => {
    await bar()
      .getByText(/^Gateway not responding for [4-7] s$/)
      .waitFor();
    await page.getByText('The gateway is not responding, so routes may not respond either.').waitFor();
    expect(await page.getByText('5 of 5 routes answer.').count()).toBe(0);
    expect(await page.getByRole('img', { name: 'Answers' }).count()).toBe(0);
    expect((await service.status()).gateway).toMatchObject({ pid, state: 'running', silentMs: expect.any(Number) });
  });
  await bar().getByText('Gateway running').waitFor();
  await page.getByText('5 of 5 routes answer.').waitFor();
});

test('a value that does not load shows a message, and can be requested again', { timeout: STORY_MS_MAX }, async () => {
  const late = page.getByText('Sluice has not answered yet.');
  const panelOf = (name: string) => page.getByRole('complementary', { name, exact: true });
  await open('Routes');
  // The code of the panel is loaded before the service hangs.
  await page
    .getByRole('button', { name: /^Show POST/ })
    .first()
    .click();
  await page.getByRole('complementary').getByText('Call it').waitFor();
  await page.getByRole('complementary').getByRole('button', { name: 'Close' }).click();
  await whileStopped(service.pid, async () => {
    await page.getByRole('button', { name: 'Show GET /api/v1/sample/line', exact: true }).click();
    await panelOf('GET /api/v1/sample/line').getByText('Loading…').waitFor();
    await late.waitFor();
    await expectAccessible(page, 'a late answer');
    await page.getByRole('button', { name: 'Try again' }).click();
    await panelOf('GET /api/v1/sample/line').getByText('Loading…').waitFor();
  });
  await panelOf('GET /api/v1/sample/line').getByText('Call it').waitFor();
  expect(await late.count()).toBe(0);
});

test('a service that is gone leaves one sentence, and no claim', { timeout: STORY_MS_MAX }, async () => {
  await service.stop();
  await expectOld();
  await bar()
    .getByText(/^No response for \d+ s$/)
    .waitFor();
});
