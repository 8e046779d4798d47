import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startService } from '#test/service.ts';
import { tempDir } from '#test/temp-dir.ts';
import { openBrowser, openPage } from './chromium.ts';
import { countClicks } from './counted-clicks.ts';
import { ADMINISTRATOR, open } from './steps.ts';

/**
 * A technician's first hour, using only visible texts and one window: set-up with TLS, the sample project and the first
 * call, another key, its curl command in a shell, the call in the journal, the key revoked, the refusal explained.
 */
const STORY_MS_MAX = 120_000;
/** From the set-up to the first call with a key, pasted into a shell. */
const FIRST_CALL_CLICKS_MAX = 2;
const FIRST_CALL_MS_MAX = 60_000;
const run = promisify(execFile);

test(
  'leads from the first start to an explained refusal with the sample project',
  { timeout: STORY_MS_MAX },
  async () => {
    await using service = await startService();
    await using folder = await tempDir();
    const browser = await openBrowser();
    const { page, watch } = await openPage(browser, service.ready.ui);
    const token = (await readFile(service.ready.setupTokenFile ?? '', 'utf8')).trim();

    await page.goto(`${service.ready.ui}/#token=${token}`);
    await expect.poll(() => page.getByLabel('Set-up token').inputValue()).toBe(token);
    expect(page.url()).toBe(`${service.ready.ui}/`);
    await page.getByLabel('Your name').fill(ADMINISTRATOR.name);
    await page.getByLabel('Password', { exact: true }).fill(ADMINISTRATOR.password);
    await page.getByRole('button', { name: 'Create Administrator' }).click();
    await page.getByLabel('Base URL').fill('https://127.0.0.1');
    await page.getByRole('button', { name: 'Next: project' }).click();
    await page.getByRole('radio', { name: /Sample project/ }).check();
    await page.getByRole('button', { name: 'Next: first call' }).click();
    const [setUpAt, clicks] = [performance.now(), await countClicks(page)];
    await page.getByRole('button', { name: 'Create key' }).click();
    const firstKey = await page.getByTestId('key-value').innerText();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save certificate' }).click(),
    ]);
    await saved.saveAs(join(folder.path, 'sluice.pem'));
    const firstLine = await page.locator('pre').last().innerText();
    expect((await callByShell(firstLine, firstKey, folder.path)).status).toBe(200);
    await page.getByText(/^First call received/).waitFor();
    expect(await clicks()).toBeLessThanOrEqual(FIRST_CALL_CLICKS_MAX);
    expect(performance.now() - setUpAt).toBeLessThan(FIRST_CALL_MS_MAX);
    await page.getByRole('button', { name: 'Open Overview' }).click();

    await open(page, 'Settings');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const form = page.getByRole('dialog', { name: 'Create API key' });
    await form.getByLabel('Caller').fill('MES line 7');
    await form.getByRole('button', { name: 'Copy scopes from a route' }).click();
    await page.getByRole('menuitem', { name: 'GET /api/v1/sample/line' }).click();
    await form.getByRole('button', { name: 'Create key' }).click();
    const shown = page.getByRole('dialog', { name: 'Key for MES line 7' });
    const key = (await shown.getByTestId('key-value').innerText()).trim();
    const curl = await shown.locator('pre').last().innerText();
    await shown.getByLabel(/I have stored the key/).check();
    await shown.getByRole('button', { name: 'Close' }).click();

    const called = await callByShell(curl, key, folder.path);
    expect(called.status).toBe(200);
    await open(page, 'Journal');
    const row = (id: string) => page.getByRole('row').filter({ hasText: id });
    await row(called.requestId).filter({ hasText: 'MES line 7' }).filter({ hasText: '200' }).waitFor();

    await open(page, 'Settings');
    await page.getByRole('button', { name: 'Actions for MES line 7' }).click();
    await page.getByRole('menuitem', { name: 'Revoke key' }).click();
    const question = page.getByRole('dialog', { name: 'Revoke the key of MES line 7?' });
    await question.getByText('MES line 7 last used this key').waitFor();
    await question.getByLabel(/safe for .* to stop/).check();
    await question.getByRole('button', { name: 'Revoke key' }).click();
    await question.waitFor({ state: 'detached' });

    const refused = await callByShell(curl, key, folder.path);
    expect(refused.status).toBe(401);
    await open(page, 'Journal');
    await row(refused.requestId)
      .getByRole('button', { name: /Why was/ })
      .click();
    const why = page.getByRole('region', { name: 'Why was this refused?' });
    await why.getByText('key_revoked').first().waitFor();
    await why.getByText('How to fix it').waitFor();
    expect(watch).toEqual({ violations: [], foreignRequests: [], pageErrors: [] });
    await browser.close();
  },
);

/** Pastes the command that the UI shows into a shell, unchanged, in the folder with the saved certificate. */
async function callByShell(curl: string, key: string, cwd: string): Promise<{ status: number; requestId: string }> {
  const env = { ...process.env, SLUICE_API_KEY: key };
  const { stdout } = await run('sh', ['-c', curl], { env, cwd });
  return {
    status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(stdout)?.[1]),
    requestId: /^x-request-id: (\S+)/im.exec(stdout)?.[1] ?? '',
  };
}
