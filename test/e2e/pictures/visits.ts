import type { Page } from 'playwright';

/** Takes a screenshot of the page in its current state. */
export type Snap = (name: string) => Promise<void>;

export interface Where {
  readonly page: Page;
  readonly snap: Snap;
  /** Opens a path of the UI. */
  go(path: string): Promise<void>;
  /** The rotation page's path. */
  readonly rotation: string;
}

type Visit = (where: Where) => Promise<void>;

const shown = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
const item = (page: Page, name: string) => page.getByRole('menuitem', { name }).click();

async function dialog(page: Page): Promise<void> {
  await page.getByRole('dialog').waitFor();
}

async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

const overview: Visit = async ({ page, snap, go }) => {
  await go('/');
  await shown(page, /routes answer/);
  await page.getByRole('region', { name: 'Callers' }).getByText('Line display').first().waitFor();
  await snap('overview');
};

const pipelines: Visit = async ({ page, snap, go }) => {
  await go('/pipelines');
  await page.getByRole('button', { name: 'Stop Show the line' }).waitFor();
  await snap('pipelines');
  await press(page, 'Stop Show the line');
  await page.getByRole('dialog').getByText('Line display').first().waitFor();
  await snap('pipeline-stop');
  await close(page);
  await go('/pipelines/new');
  await page.getByLabel('Name', { exact: true }).waitFor();
  await snap('pipeline-new');
  await go('/projects');
  await press(page, 'Actions for Filling line');
  await snap('projects');
  await item(page, 'Delete project');
  await dialog(page);
  await snap('project-delete');
  await close(page);
  await go('/projects/new');
  await page.getByLabel('Name', { exact: true }).waitFor();
  await snap('project-new');
};

const editor: Visit = async ({ page, snap, go }) => {
  await go('/pipelines/filling-line/orders');
  await page.getByRole('application').waitFor();
  await press(page, 'Fit');
  await snap('editor');
  await page.locator('.react-flow__node').nth(2).click();
  await snap('editor-node');
  const dock = page.getByRole('tab', { name: 'Test and runs' });
  if (await dock.isVisible()) await dock.click();
  for (const tab of ['Problems', 'Test', 'Runs', 'Changes']) {
    await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
    if (tab === 'Runs') await page.getByRole('list', { name: 'Runs' }).getByRole('button').first().click();
    await snap(`editor-${tab.toLowerCase()}`);
  }
};

const routes: Visit = async ({ page, snap, go }) => {
  await go('/routes');
  await shown(page, /routes answer/);
  await snap('routes');
  await press(page, 'Show POST /api/v1/line/orders');
  await page.getByRole('complementary').locator('pre').waitFor();
  await snap('route');
  await press(page, 'Connection card');
  await page.getByRole('img', { name: /^QR code/ }).waitFor();
  await snap('connection-card');
  await close(page);
  await go('/routes');
  await press(page, 'OpenAPI');
  await page.getByLabel('OpenAPI document').waitFor();
  await snap('openapi');
};

const keys: Visit = async ({ page, snap, go, rotation }) => {
  await go('/settings/api-keys?project=filling-line');
  await page.getByRole('button', { name: 'Actions for Line display' }).waitFor();
  await snap('keys');
  await press(page, 'Create key');
  await page.getByRole('dialog').getByLabel('Caller').fill('Palletiser PLC');
  await page
    .getByRole('dialog')
    .getByRole('checkbox', { name: /Read tags/ })
    .check();
  await snap('key-new');
  await close(page);
  await press(page, 'Actions for Line display');
  await snap('key-menu');
  await item(page, 'Show access');
  await page
    .getByRole('dialog')
    .getByText(/Reads \d+ tags/)
    .waitFor();
  await snap('key-reach');
  await close(page);
  await press(page, 'Actions for Line display');
  await item(page, 'Revoke key');
  await page.getByRole('dialog').getByText('/api/v1/line/status').first().waitFor();
  await snap('key-revoke');
  await close(page);
  await go(rotation);
  await page.getByRole('heading', { name: /^Rotate the key/ }).waitFor();
  await page.locator('canvas').first().waitFor();
  await snap('key-rotation');
};

const settings: Visit = async ({ page, snap, go }) => {
  await go('/settings/people');
  await page.getByRole('row').filter({ hasText: 'O. Perez' }).waitFor();
  await snap('people');
  await press(page, 'Create role');
  await dialog(page);
  await snap('role-new');
  await close(page);
  await go('/settings/service-tokens');
  await page.getByText('No service tokens yet').waitFor();
  await snap('service-tokens');
  await go('/settings/gateway');
  await page.getByRole('group', { name: 'Gateway port' }).waitFor();
  await snap('gateway');
  await go('/settings/connections');
  await shown(page, /connection/i);
  await snap('connections');
  await press(page, 'New connection');
  await dialog(page);
  await snap('connection-new');
  await close(page);
  await go('/settings/plugins');
  await page
    .getByRole('heading', { name: 'Settings' })
    .or(page.getByRole('heading', { name: 'Plugins' }))
    .first()
    .waitFor();
  await snap('plugins');
  await go('/settings/backup');
  await page.getByRole('button', { name: 'Create backup' }).waitFor();
  await snap('backup');
  await go('/help');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await snap('help');
};

const journal: Visit = async ({ page, snap, go }) => {
  await go('/journal');
  await page.getByRole('row').nth(5).waitFor();
  await snap('journal');
  await page
    .getByRole('row')
    .filter({ hasText: 'scope_missing' })
    .first()
    .getByRole('button', { name: /Why was/ })
    .click();
  await page.getByRole('region', { name: 'Why was this refused?' }).getByText('Request steps').waitFor();
  await snap('journal-why');
};

const storeForward: Visit = async ({ page, snap, go }) => {
  await go('/store-forward');
  await shown(page, /refuses calls/);
  await page
    .getByRole('button', { name: /^Inspect event/ })
    .first()
    .waitFor();
  await snap('store-forward');
  await page
    .getByRole('button', { name: /^Inspect event/ })
    .first()
    .click();
  await dialog(page);
  await snap('store-forward-event');
  await close(page);
};

const data: Visit = async ({ page, snap, go }) => {
  const part = (name: string) => go(`/data/${name}?project=filling-line`);
  await part('tags');
  await page.getByRole('button', { name: /speed/ }).first().click();
  await page.locator('canvas').first().waitFor();
  await snap('data-tags');
  await part('trend');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await snap('data-trend-none');
  await go('/data/trend?project=filling-line&tags=line1/filler/speed,line1/tank/level');
  await page.locator('canvas').first().waitFor();
  await snap('data-trend');
  for (const name of ['queries', 'variables', 'files', 'scripts']) {
    await part(name);
    await page.getByRole('row').or(page.getByRole('listitem')).nth(1).waitFor();
    await snap(`data-${name}`);
  }
};

const german: Visit = async ({ page, snap, go }) => {
  await go('/');
  await page
    .getByRole('button', { name: /^Language/ })
    .or(page.getByRole('button', { name: /^Account/ }))
    .last()
    .click();
  await page
    .getByRole('menuitemradio', { name: 'Deutsch' })
    .or(page.getByRole('menuitem', { name: 'Deutsch' }))
    .click();
  await page.getByRole('heading', { name: 'Übersicht' }).waitFor();
  await snap('german-overview');
  for (const path of [
    'pipelines',
    'routes',
    'store-forward',
    'journal',
    'settings/api-keys',
    'settings/gateway',
    'help',
  ]) {
    await go(`/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await snap(`german-${path.replace('/', '-')}`);
  }
  await go('/pipelines/filling-line/orders');
  await page.getByRole('application').waitFor();
  await page.locator('.react-flow__node').nth(2).click();
  await snap('german-editor');
};

export const VISITS: Record<string, Visit> = {
  overview,
  pipelines,
  editor,
  routes,
  keys,
  settings,
  journal,
  storeForward,
  data,
  german,
};
