import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { tempDir } from '#test/temp-dir.ts';
import { smallPlugin } from '../service/plugin-package.ts';
import { expectAccessible } from './accessible.ts';
import { type Appliance, PEOPLE, type Role } from './appliance.ts';
import { CLEAN } from './chromium.ts';
import { applianceOfFile } from './file-appliance.ts';
import { logIn, logOut } from './steps.ts';

/** Settings → Plugins and Backup, and Help, in a real Chromium on the real service; each test follows the one before. */

const PASSPHRASE = 'a passphrase for the safe';

const appliance = applianceOfFile();
let window: Awaited<ReturnType<Appliance['window']>>;
let page: Page;
let folder: Awaited<ReturnType<typeof tempDir>>;

beforeAll(async () => {
  folder = await tempDir('sluice-plugins-');
  await appliance.service.admin.ok('POST', '/projects', { id: 'line-2', name: 'Filling line 2' });
  window = await appliance.window('Administrator', { acceptDownloads: true });
  page = window.page;
});

afterAll(async () => {
  await folder?.remove();
});

afterEach(() => expect(window.watch).toEqual(CLEAN));

const openTab = async (path: string) => {
  await page.goto(`${appliance.service.ready.ui}/settings/${path}`);
};
const said = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor();
const dialog = (name: string) => page.getByRole('dialog', { name });
const rowOf = (text: string) => page.getByRole('row').filter({ hasText: text });

async function choosePlugin(id: string, more: { trusted?: boolean; targets?: string[] } = {}): Promise<void> {
  const archive = await smallPlugin(folder.path, {
    id,
    code: `export default { '${id}': (message) => ({ payload: message.payload }) };`,
    kinds: [{ id, title: `Scale by ${id}`, summary: 'Scales a value.', scopes: ['tag:read'] }],
    capabilities: ['tag:read'],
    ...more,
  });
  const file = { name: `${id}-1.0.0.tgz`, mimeType: 'application/gzip', buffer: Buffer.from(archive, 'base64') };
  await page.getByLabel('Plugin file (.tgz)').setInputFiles(file);
}

test('a plugin is added from its file and shows its rights before it is approved', async () => {
  await openTab('plugins');
  await page.getByText('No plugins yet').waitFor();
  await choosePlugin('acme', { targets: ['api.acme.invalid:443'] });
  const ask = dialog('Approve acme 1.0.0?');
  await ask.getByText('Read tags').waitFor();
  await ask.getByText('Call api.acme.invalid:443').waitFor();
  await ask.getByText(/^[0-9a-f]{64}$/).waitFor();
  await expectAccessible(page, 'Approve plugin');
  await ask.getByRole('button', { name: 'Not now' }).click();
  await rowOf('acme 1.0.0').getByText('Waiting for approval').waitFor();
  await page.getByText('1 is waiting for approval.').waitFor();

  await page.getByRole('button', { name: 'Review and approve acme' }).click();
  await expect.poll(() => ask.getByRole('button', { name: 'Approve plugin' }).isDisabled()).toBe(true);
  await ask.getByLabel('I know where this file comes from.').check();
  await ask.getByRole('button', { name: 'Approve plugin' }).click();
  await said('acme was approved and loaded');
  await rowOf('acme 1.0.0').getByText('Loaded').waitFor();
});

test('a trusted plugin is approved only after a typed confirmation', async () => {
  await choosePlugin('deep', { trusted: true });
  const ask = dialog('Approve deep 1.0.0?');
  await ask.getByText('it runs outside the sandbox').waitFor();
  await ask.getByLabel('I know where this file comes from.').check();
  const trust = ask.getByRole('button', { name: 'Trust plugin' });
  await expect.poll(() => trust.isDisabled()).toBe(true);
  await ask.getByLabel('Type “trust deep” to trust it').fill('trust acme');
  await ask.getByText('Type trust deep exactly as shown.').waitFor();
  await expect.poll(() => trust.isDisabled()).toBe(true);
  await expectAccessible(page, 'Trust plugin');
  await ask.getByLabel('Type “trust deep” to trust it').fill('trust deep');
  await trust.click();
  await said('deep was approved');
  await rowOf('deep 1.0.0').getByText('Trusted code').waitFor();
});

test('a file other than a plugin is refused with a message', async () => {
  const file = { name: 'notes.tgz', mimeType: 'application/gzip', buffer: Buffer.from('not an archive') };
  await page.getByLabel('Plugin file (.tgz)').setInputFiles(file);
  await page.getByRole('alert').filter({ hasText: 'The plugin was not added.' }).waitFor();
});

test('a plugin whose kind is running is not removed, and the message names its pipeline', async () => {
  const { admin } = appliance.service;
  await admin.run('line-2', {
    id: 'orders',
    name: 'Orders intake',
    nodes: [
      {
        id: 'in',
        kind: 'rest-api',
        settings: { mode: 'ingress', method: 'POST', urlPattern: '/orders', requiredScopes: ['tag:read'] },
      },
      { id: 'scale', kind: 'acme', settings: {} },
      { id: 'out', kind: 'http-response', settings: {} },
    ],
    wires: [
      { from: 'in', port: 'out', to: 'scale' },
      { from: 'scale', port: 'out', to: 'out' },
    ],
  });
  await page.reload();
  await page.getByRole('button', { name: 'Actions for acme' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  const ask = dialog('Remove acme?');
  await ask.getByRole('link', { name: 'Orders intake' }).waitFor();
  await expect.poll(() => ask.getByRole('button', { name: 'Remove plugin' }).count()).toBe(0);
  await admin.ok('POST', '/projects/line-2/pipelines/orders/stop', {});
  await ask.getByText('will not start without it').waitFor();
  await ask.getByLabel('acme is no longer needed.').check();
  await ask.getByRole('button', { name: 'Remove plugin' }).click();
  await said('acme was removed.');
  await rowOf('acme 1.0.0').waitFor({ state: 'detached' });
  await expectAccessible(page, 'Plugins');
});

test('a backup requires a passphrase twice, is downloaded, and is recorded in the journal', async () => {
  await openTab('backup');
  await page.getByText('No backup so far').waitFor();
  await page.getByLabel('Passphrase', { exact: true }).fill('too short');
  await page.getByRole('button', { name: 'Create backup' }).click();
  await page.getByText('The passphrase has 9 characters.').waitFor();
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Create backup' }).click();
  await page.getByText('The passphrases do not match.').waitFor();
  await expectAccessible(page, 'Backup');
  await page.getByLabel('Repeat the passphrase').fill(PASSPHRASE);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Create backup' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^sluice-\d{4}-\d\d-\d\d\.backup$/);
  const bytes = await readFile(await file.path());
  expect(bytes.length).toBeGreaterThan(1_000);
  expect(bytes.includes(PASSPHRASE)).toBe(false);
  await said(/^The backup sluice-.* is in your browser’s downloads\./);
  await page.getByText(/The last backup was created .* by admin\./).waitFor();
  await expect.poll(() => page.getByLabel('Passphrase', { exact: true }).inputValue()).toBe('');
  await page.getByText('sluice restore FILE').waitFor();
});

test('a backup that is cancelled leaves no file and no error', async () => {
  await page.route('**/api/v1/backup', () => {
    // Never answered: the user cancels.
  });
  await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
  await page.getByLabel('Repeat the passphrase').fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Create backup' }).click();
  await page.getByRole('button', { name: 'Cancel the backup' }).click();
  await page.getByRole('button', { name: 'Cancel the backup' }).waitFor({ state: 'detached' });
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  await page.unroute('**/api/v1/backup');
});

test.each<Role>(['Engineer', 'Operator', 'Viewer'])(
  'the role %s sees who may change plugins and backups, and has the help',
  async (role) => {
    const other = await appliance.window(role);
    for (const [path, text] of [
      ['/settings/plugins', 'Only users with the permission “Change settings” can see and change plugins.'],
      ['/settings/backup', 'Only users with the permission “Change settings” can create backups.'],
    ] as const) {
      await other.page.goto(`${appliance.service.ready.ui}${path}`);
      await other.page.getByText(text).waitFor();
      expect(await other.page.getByRole('main').getByRole('button').count(), path).toBe(0);
    }
    await other.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Help' }).click();
    await other.page.getByText('sluice user reset-password NAME').waitFor();
    await expectAccessible(other.page, `Help, ${role}`);
    expect(other.watch).toEqual(CLEAN);
    await other.close();
  },
);

test('a backup is restored: it is checked, its effects are shown, and Sluice restarts by itself', async () => {
  const { admin } = appliance.service;
  const response = await admin.stream('POST', '/backup', { passphrase: PASSPHRASE });
  const buffer = Buffer.from(await response.arrayBuffer());
  await admin.ok('POST', '/projects/line-2/keys', { name: 'SCADA', scopes: [] });
  await openTab('backup');
  await page.getByRole('button', { name: 'Restore a backup…' }).click();
  const file = dialog('Restore a backup');
  await file.getByLabel('Choose backup file').setInputFiles({
    name: 'line.backup',
    mimeType: 'application/octet-stream',
    buffer,
  });
  await file.getByLabel('Passphrase of the backup').fill('not the passphrase');
  await file.getByRole('button', { name: 'Check backup' }).click();
  await file.getByText('This passphrase does not open the backup.').waitFor();
  await expectAccessible(page, 'Restore, passphrase');
  await file.getByLabel('Passphrase of the backup').fill(PASSPHRASE);
  await file.getByRole('button', { name: 'Check backup' }).click();
  const effects = dialog('Contents of the backup');
  await effects.getByText('1 key is not in the backup and stops working: SCADA.').waitFor();
  await effects.getByText('The journal is available').waitFor();
  await expectAccessible(page, 'Restore, effects');
  const { machine } = await appliance.service.status();
  const apply = effects.getByRole('button', { name: 'Restore and restart' });
  await expect.poll(() => apply.isDisabled()).toBe(true);
  await effects.getByLabel(/the name of this PC, to confirm/).fill(machine.name);
  await apply.click();
  await dialog('Restore a backup').getByText('Sluice is restoring the backup and restarting.').waitFor();
  await page.getByText('Sluice restarted to restore the backup of').waitFor({ timeout: 60_000 });
  await logIn(page, PEOPLE.Administrator);
  await openTab('backup');
  await page.getByText(/^The last restore was made .* by admin\.$/).waitFor();
});

test('the OpenAPI file is downloaded from the help page', async () => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Help' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download the OpenAPI document' }).click();
  const file = await (await download).path();
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ openapi: '3.1.0' });
});

test('a user changes the own password on the help page, with the old one, and this window stays logged in', async () => {
  await page.getByRole('button', { name: 'Change your password' }).click();
  const form = dialog('Change your password');
  await form.getByLabel('Current password').fill('not the present one');
  await form.getByLabel('New password').fill('another long enough one');
  await form.getByRole('button', { name: 'Change password' }).click();
  await form.getByRole('alert').waitFor();
  await expectAccessible(page, 'Change your password');
  await form.getByLabel('Current password').fill(PEOPLE.Administrator.password);
  await form.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Your password was changed.').waitFor();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await logOut(page, PEOPLE.Administrator);
  await logIn(page, { name: PEOPLE.Administrator.name, password: 'another long enough one' });
});
