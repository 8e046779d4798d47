import type { Page } from 'playwright';
import { ADMIN, type ServiceOptions, startService, type TestService } from '#test/service.ts';
import { openBrowser, openPage, type TestBrowser, type Watch } from './chromium.ts';

/** One user for each built-in role, as named in the journal. */
export const PEOPLE = {
  Administrator: ADMIN,
  Engineer: { name: 'J. Keller', password: 'draws the pipelines here' },
  Operator: { name: 'O. Perez', password: 'starts and stops them' },
  Viewer: { name: 'V. Iewer', password: 'looks and touches nothing' },
} as const;
export type Role = keyof typeof PEOPLE;

export interface Appliance {
  readonly service: TestService;
  /** A separate window, logged in as the user with that role. */
  window(
    role: Role,
    options?: Parameters<typeof openPage>[2],
  ): Promise<{ page: Page; watch: Watch; close(): Promise<void> }>;
  stop(): Promise<void>;
}

/** The real service, set up, with one user for each role, and windows in Chromium. */
export async function startAppliance(flags: string[] = [], options: ServiceOptions = {}): Promise<Appliance> {
  const service = await startService(flags, options);
  let browser: TestBrowser | undefined;
  try {
    await service.setUp();
    for (const role of ['Engineer', 'Operator', 'Viewer'] as const)
      await service.admin.ok('POST', '/users', { ...PEOPLE[role], roles: [role] });
    browser = await openBrowser();
  } catch (error) {
    await service.stop();
    throw error;
  }
  const opened = browser;
  return {
    service,
    async window(role, options) {
      const window = await openPage(opened, service.ready.ui, options);
      await logInAs(window.page, service.ready.ui, role);
      return window;
    },
    async stop() {
      await opened.close();
      await service.stop();
    },
  };
}

async function logInAs(page: Page, ui: string, role: Role): Promise<void> {
  const { name, password } = PEOPLE[role];
  await page.goto(ui);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  // On a narrow screen the navigation is a drawer.
  await page.getByRole('button', { name: `Account: ${name}` }).waitFor();
}
