import { beforeAll, expect, test } from 'vitest';
import { applianceOfFile } from './file-appliance.ts';

const appliance = applianceOfFile();

beforeAll(async () => {
  await appliance.service.admin.ok('POST', '/projects', { id: 'line', name: 'Filling line' });
});

test.each(['/projects/new', '/pipelines/new'])(
  'a Viewer who opens %s by its address sees which permission is missing, and is offered nothing',
  async (path) => {
    const { page, close } = await appliance.window('Viewer');
    await page.goto(appliance.service.ready.ui + path);
    await page.getByText('This requires the permission “Edit pipelines”.').waitFor();
    expect(await page.locator('main :is(button, input)').count()).toBe(0);
    await close();
  },
);
