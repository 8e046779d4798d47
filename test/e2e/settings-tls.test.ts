import { readFile } from 'node:fs/promises';
import { X509Certificate } from 'node:crypto';
import type { Page } from 'playwright';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { freePort } from '#test/free-port.ts';
import { call } from '#test/raw-request.ts';
import { testCertificate } from '#test/test-certificate.ts';
import { expectAccessible } from './accessible.ts';
import type { Appliance } from './appliance.ts';
import { CLEAN } from './chromium.ts';
import { applianceOfFile } from './file-appliance.ts';

/** Settings → Gateway → Encryption: from plain HTTP to a custom certificate, in the order of a commissioning. */
const appliance = applianceOfFile();
let window: Awaited<ReturnType<Appliance['window']>>;
let page: Page;

beforeAll(async () => {
  window = await appliance.window('Administrator');
  page = window.page;
  await page.goto(`${appliance.service.ready.ui}/settings/gateway`);
});

afterEach(() => expect(window.watch).toEqual(CLEAN));

const said = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor();
const save = () => page.getByRole('button', { name: 'Save changes' }).click();
const panel = () => page.getByRole('region', { name: 'Encryption (TLS)' });
const chooseTls = (option: string) => page.getByLabel('Protocol', { exact: true }).selectOption({ label: option });
const fingerprint = () => panel().locator('dd code').textContent();
const answers = (ca: string) =>
  call(appliance.service.gatewayPort, { path: '/nothing', connect: { tls: { ca } } }).then(({ status }) => status);

async function downloaded(name: string): Promise<Buffer> {
  const [file] = await Promise.all([page.waitForEvent('download'), panel().getByRole('button', { name }).click()]);
  return readFile(await file.path());
}

test('the certificate is created and distributed first, then TLS is turned on', async () => {
  await panel().getByText('Keys can be read on the network between').waitFor();
  await panel().getByRole('button', { name: 'Create certificate now' }).click();
  await said('The new certificate was created.');
  await panel().getByText('Sluice’s own certificate, used once TLS is turned on').waitFor();
  const cer = new X509Certificate(await downloaded('Download .cer for PLCs'));
  expect(cer.fingerprint256).toBe(await fingerprint());
  const pem = (await downloaded('Download .pem')).toString();

  await chooseTls('TLS with Sluice’s own certificate');
  await save();
  const ask = page.getByRole('dialog', { name: 'Change how machines connect to the gateway?' });
  await ask.getByText('Each must be changed to https://').waitFor();
  await ask.getByLabel('These machines may stop until they are reconfigured.').check();
  await expectAccessible(page, 'Encryption, asked');
  await ask.getByRole('button', { name: 'Change', exact: true }).click();
  await said('Saved. The gateway has the new settings.');
  await page.getByText(/Machines call https:/).waitFor();
  await expect.poll(() => panel().getByText('Keys can be read on the network between').count()).toBe(0);
  expect(await answers(pem)).toBe(404);
  await expectAccessible(page, 'Encryption, on');
});

test('a new certificate asks for confirmation first, and machines then see it', async () => {
  const before = await fingerprint();
  await panel().getByRole('button', { name: 'Create a new certificate' }).click();
  const ask = page.getByRole('dialog', { name: 'Create a new certificate?' });
  await ask.getByText('From now on, the gateway uses another certificate.').waitFor();
  await ask.getByLabel('These machines may stop until they have the new certificate.').check();
  await ask.getByRole('button', { name: 'Create a new certificate' }).click();
  await said('The new certificate was created.');
  await page.waitForFunction((old) => document.querySelector('.certificate dd code')?.textContent !== old, before);
  const pem = (await downloaded('Download .pem')).toString();
  expect(new X509Certificate(pem).fingerprint256).toBe(await fingerprint());
  expect(await answers(pem)).toBe(404);
});

test('an additional plain port shows a warning as long as it is open', async () => {
  const port = await freePort();
  await page.getByLabel('Additional plain HTTP port').fill(String(port));
  await save();
  await said('Saved. The gateway has the new settings.');
  await panel().getByText('The additional port is not encrypted.').waitFor();
  expect((await call(port, { path: '/nothing' })).status).toBe(404);
});

test('a custom certificate: errors are shown on their fields, and the key is never returned', async () => {
  const ours = await testCertificate();
  const other = await testCertificate();
  await chooseTls('TLS with your certificate');
  await panel().getByLabel('Certificate', { exact: true }).fill(ours.certificate);
  await panel()
    .getByLabel('Read key from a file')
    .setInputFiles({
      name: 'gateway.key',
      mimeType: 'application/x-pem-file',
      buffer: Buffer.from(other.key),
    });
  const confirm = async () => {
    await save();
    const ask = page.getByRole('dialog', { name: 'Change the certificate shown to machines?' });
    await ask.getByRole('checkbox').check();
    await ask.getByRole('button', { name: 'Change certificate' }).click();
  };
  await confirm();
  await panel().getByText('does not belong to tlsCertificate').waitFor();
  await expectAccessible(page, 'Encryption, refused');
  await panel().getByLabel('Private key', { exact: true }).fill(ours.key);
  await confirm();
  await said('Saved. The gateway has the new settings.');
  await panel().getByText('Stored. It is never shown again.').waitFor();
  expect(await page.content()).not.toContain(ours.key.split('\n')[1]);
  expect(await fingerprint()).toBe(new X509Certificate(ours.certificate).fingerprint256);
  expect(await answers(ours.certificate)).toBe(404);
});

test('returning to plain HTTP also closes the additional port', async () => {
  await chooseTls('Plain HTTP: keys can be read on the network');
  await save();
  const ask = page.getByRole('dialog', { name: 'Change how machines connect to the gateway?' });
  await ask.getByRole('checkbox').check();
  await ask.getByRole('button', { name: 'Change', exact: true }).click();
  await said('Saved. The gateway has the new settings.');
  await page.getByText(/Machines call http:/).waitFor();
  expect(await appliance.service.admin.ok('GET', '/settings')).toMatchObject({ tls: 'off', plainHttpPort: null });
});
