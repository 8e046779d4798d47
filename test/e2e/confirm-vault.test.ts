import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ADMIN, startService, type TestService } from '#test/service.ts';
import { tempDir } from '#test/temp-dir.ts';
import { CLEAN, openBrowser, openPage } from './chromium.ts';
import { logIn } from './steps.ts';

const started: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of started.splice(0).toReversed()) await end();
});

async function serve(dataDir: string): Promise<TestService> {
  const service = await startService([], { dataDir });
  started.push(async () => service[Symbol.asyncDispose]());
  return service;
}

/** A data folder with a restored older vault, without the journal of later changes. */
async function putBack(dataDir: string): Promise<void> {
  const first = await serve(dataDir);
  await first.setUp();
  await copyFile(join(dataDir, 'vault.db'), join(dataDir, 'older'));
  await first.admin.ok('PATCH', '/settings', { journalDays: 30 });
  await first.stop();
  await copyFile(join(dataDir, 'older'), join(dataDir, 'vault.db'));
  await rm(join(dataDir, 'journal'), { recursive: true });
}

test('an older vault is confirmed from its alarm in a dialog that requires a tick, and the alarm disappears', async () => {
  const folder = await tempDir('sluice-confirm-');
  started.push(() => folder.remove());
  await putBack(folder.path);
  const service = await serve(folder.path);
  const browser = await openBrowser();
  started.push(() => browser.close());
  const { page, watch } = await openPage(browser, service.ready.ui);
  await page.goto(service.ready.ui);
  await logIn(page, ADMIN);

  await page.getByRole('button', { name: 'Continue without them' }).waitFor();
  const attention = page.getByRole('listitem').filter({ hasText: 'Every API key is refused' });
  await attention.getByRole('button', { name: 'Confirm vault' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm the older vault?' });
  await dialog.waitFor();
  await expect.poll(() => dialog.getByRole('button', { name: 'Confirm vault' }).isDisabled()).toBe(true);
  await dialog.getByLabel('I have checked keys and users.').check();
  // The journal is lost too: the same confirmation clears that alarm.
  expect(await dialog.getByRole('button', { name: 'Confirm vault' }).isDisabled()).toBe(true);
  await dialog.getByLabel('There is no copy, or these files are the correct ones.').check();
  await dialog.getByRole('button', { name: 'Confirm vault' }).click();
  await dialog.waitFor({ state: 'detached' });
  await attention.waitFor({ state: 'detached' });
  await expect.poll(() => page.getByRole('button', { name: 'Confirm vault' }).count()).toBe(0);

  await service.admin.logIn(ADMIN.name, ADMIN.password);
  const codes = (await service.status()).alarms.map(({ code }) => code);
  expect(codes).not.toContain('keys_refused');
  expect(codes).not.toContain('vault_rolled_back');
  expect(watch).toEqual(CLEAN);
});
