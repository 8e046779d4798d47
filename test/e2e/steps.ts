import type { Page } from 'playwright';

/** Actions of users in the UI, by its visible texts. */
export interface Person {
  name: string;
  password: string;
}

export const ADMINISTRATOR: Person = { name: 'A. Brandt', password: 'correct horse battery' };

export async function setUp(page: Page, ui: string, token: string, { name, password }: Person): Promise<void> {
  await page.goto(ui);
  await page.getByLabel('Set-up token').fill(token);
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Create Administrator' }).click();
  // Steps 2 and 3 of the set-up have their own test.
  await page.getByRole('button', { name: 'Finish later' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

export async function logOut(page: Page, { name }: Person): Promise<void> {
  await page.getByRole('button', { name: `Account: ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Log in' }).waitFor();
}

export async function logIn(page: Page, { name, password }: Person): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
}

export async function open(
  page: Page,
  place: 'Overview' | 'Pipelines' | 'Store & forward' | 'Journal' | 'Settings',
): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: place }).click();
}

/** The first project, and in it the default pipeline of the page (POST /api/v1/orders), started. */
export async function makeRunningPipeline(page: Page): Promise<void> {
  await open(page, 'Pipelines');
  await page.getByRole('link', { name: 'Create project' }).first().click();
  await page.getByLabel('Name').fill('Filling line 2');
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.getByRole('button', { name: 'Create pipeline' }).click();
  await page.getByRole('heading', { name: 'Orders' }).waitFor();
  await open(page, 'Pipelines');
  await page.getByRole('button', { name: 'Start Orders' }).click();
  await page.getByRole('button', { name: 'Stop Orders' }).waitFor();
}

/** Creates a key and closes its dialog; returns the value that was shown once and the curl command beside it. */
export async function makeKey(page: Page, consumer: string): Promise<{ key: string; curl: string }> {
  await open(page, 'Settings');
  await page.getByRole('button', { name: 'Create key' }).first().click();
  const form = page.getByRole('dialog', { name: 'Create API key' });
  await form.getByLabel('Caller').fill(consumer);
  await form.getByRole('button', { name: 'Create key' }).click();
  const shown = page.getByRole('dialog', { name: `Key for ${consumer}` });
  const key = (await shown.getByTestId('key-value').innerText()).trim();
  const curl = await shown.locator('pre').last().innerText();
  await shown.getByLabel(/I have stored the key/).check();
  await shown.getByRole('button', { name: 'Close' }).click();
  await shown.waitFor({ state: 'detached' });
  return { key, curl };
}
