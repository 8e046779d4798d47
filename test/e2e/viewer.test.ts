import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAppliance, type Appliance } from './appliance.ts';

const STORY_MS_MAX = 120_000;

let appliance: Appliance;

beforeAll(async () => {
  appliance = await startAppliance();
  await appliance.service.admin.ok('POST', '/projects', { id: 'line', name: 'Filling line' });
}, STORY_MS_MAX);

afterAll(async () => {
  await appliance?.stop();
});

test.each(['/projects/new', '/pipelines/new'])(
  'a Viewer who opens %s by its address sees what is needed, and is offered nothing',
  async (path) => {
    const { page, close } = await appliance.window('Viewer');
    await page.goto(appliance.service.ready.ui + path);
    await page.getByText('This requires the permission “Edit pipelines”.').waitFor();
    expect(await page.locator('main :is(button, input)').count()).toBe(0);
    await close();
  },
  STORY_MS_MAX,
);
