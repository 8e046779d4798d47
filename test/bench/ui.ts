/**
 * `node test/bench/ui.ts`: the responsiveness of the admin UI, in a real Chromium on the real service: its loading time
 * over loopback with a filled cache, and the cost of a frame while long lists are scrolled and a large pipeline is
 * moved.
 *
 * CPU per frame covers only the main thread of the page, so that it is meaningful on a busy machine too; 16.7 ms are 60
 * frames per second. Frame times are wall-clock times, without a graphics card.
 */
import type { Page } from 'playwright';
import { tempDir } from '#test/temp-dir.ts';
import { type Appliance, startAppliance } from '../e2e/appliance.ts';
import { OLD_ROWS, writeOldRows } from '../e2e/old-rows.ts';

const LOADS = 9;
const ROUTES = 1_000;
const NODES = 300;
const FRAMES = 300;
const STEP_PX = 60;

async function main(): Promise<void> {
  await using folder = await tempDir('sluice-bench-ui-');
  await writeOldRows(folder.path);
  const appliance = await startAppliance(['--data', folder.path]);
  try {
    await fill(appliance);
    const { page } = await appliance.window('Administrator');
    await loads(page, appliance.service.ready.ui);
    await lists(page, appliance.service.ready.ui);
    await editor(page, appliance.service.ready.ui);
  } finally {
    await appliance.stop();
  }
}

async function fill({ service: { admin } }: Appliance): Promise<void> {
  await admin.ok('POST', '/projects', { id: 'line', name: 'Line' });
  const route = (id: string) => ({
    id,
    name: `Route ${id}`,
    nodes: [
      { id: 'in', kind: 'rest-api', settings: { mode: 'ingress', urlPattern: `/api/v1/many/${id}` } },
      { id: 'out', kind: 'http-response', settings: {} },
    ],
    wires: [{ from: 'in', port: 'out', to: 'out' }],
  });
  for (let index = 0; index < ROUTES; index++) await admin.ok('POST', '/projects/line/pipelines', route(`r-${index}`));
  const nodes = Array.from({ length: NODES }, (_, index) => ({
    id: `n${index}`,
    kind: index === 0 ? 'timer' : 'log',
    name: `Step ${index}`,
    position: { x: (index % 20) * 280, y: Math.floor(index / 20) * 140 },
    settings: index === 0 ? { every: 3600 } : { message: 'seen' },
  }));
  const wires = nodes.slice(1).map(({ id }, index) => ({ from: `n${index}`, port: 'out', to: id }));
  await admin.ok('POST', '/projects/line/pipelines', { id: 'large', name: 'Large', nodes, wires });
}

/** From the navigation to the first frame with the page's content; files come from the browser's cache. */
async function loads(page: Page, ui: string): Promise<void> {
  for (const [path, content] of [
    ['/', '.cards .value'],
    ['/routes', '.virtual-table [aria-rowindex="2"]'],
    ['/pipelines/line/large', '.flow-card'],
  ] as const) {
    const times: number[] = [];
    for (let round = 0; round <= LOADS; round++) {
      await page.goto(ui + path, { waitUntil: 'commit' });
      const there = await page.waitForFunction(
        (selector) => (document.querySelector(selector) === null ? 0 : performance.now()),
        content,
        { polling: 'raf' },
      );
      // The first one fills the cache.
      if (round > 0) times.push(await there.jsonValue());
    }
    console.log(`load ${path.padEnd(24)} ${summary(times)}`);
  }
}

async function lists(page: Page, ui: string): Promise<void> {
  await page.goto(`${ui}/routes`);
  await page.getByRole('row').nth(5).waitFor();
  await measured(page, `${ROUTES.toLocaleString('en')} routes`, () => scroll(page, '.virtual-table'));
  await page.goto(`${ui}/pipelines`);
  await page.getByRole('row').nth(5).waitFor();
  await measured(page, `${ROUTES.toLocaleString('en')} pipelines`, () => scroll(page, '.virtual-table'));
  await page.goto(`${ui}/journal?range=all`);
  await page.getByRole('row').nth(5).waitFor();
  await measured(page, `${OLD_ROWS.toLocaleString('en')} journal rows`, () => scroll(page, '.journal-table'));
}

async function editor(page: Page, ui: string): Promise<void> {
  await page.goto(`${ui}/pipelines/line/large`);
  await page.getByRole('application').waitFor();
  await page.locator('.flow-card').first().waitFor();
  await measured(page, `${NODES} nodes, moved at 100 %`, () => pan(page));
  await page.getByRole('button', { name: 'Fit' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.flow-wire').length > 40);
  await measured(page, `${NODES} nodes, moved, all in sight`, () => pan(page));
}

/** Scrolls down a little in each frame, like a mouse wheel; returns the times of the frames in milliseconds. */
function scroll(page: Page, list: string): Promise<number[]> {
  return page.locator(list).evaluate(
    async (element, { frames, step }) => {
      const frame = () => new Promise<number>(requestAnimationFrame);
      const times: number[] = [];
      let before = await frame();
      for (let index = 0; index < frames; index++) {
        element.scrollBy(0, step);
        const now = await frame();
        times.push(now - before);
        before = now;
      }
      return times;
    },
    { frames: FRAMES, step: STEP_PX },
  );
}

/** Drags the canvas back and forth with the mouse. */
async function pan(page: Page): Promise<number[]> {
  await page.evaluate(() => {
    const times: number[] = [];
    Reflect.set(window, 'frameTimes', times);
    let before = performance.now();
    const next = (now: number) => {
      times.push(now - before);
      before = now;
      if (Reflect.get(window, 'frameTimes') === times) requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  const canvas = await page.getByRole('application').boundingBox();
  if (canvas === null) throw new Error('the canvas is not drawn');
  const [x, y] = [canvas.x + canvas.width / 2, canvas.y + canvas.height - 20];
  await page.mouse.move(x, y);
  await page.mouse.down({ button: 'middle' });
  for (let index = 0; index < FRAMES; index++)
    await page.mouse.move(x + 120 * Math.sin(index / 15), y - 60 + 60 * Math.cos(index / 15));
  await page.mouse.up({ button: 'middle' });
  return page.evaluate(() => {
    const times: unknown = Reflect.get(window, 'frameTimes');
    Reflect.set(window, 'frameTimes', null);
    return Array.isArray(times) ? times.map(Number) : [];
  });
}

/** Main-thread time per frame of `act`. */
async function measured(page: Page, name: string, act: () => Promise<number[]>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? Number.NaN;
  };
  const before = await worked();
  const times = await act();
  const cpuMs = ((await worked()) - before) * (1000 / times.length);
  await session.detach();
  console.log(`${name.padEnd(29)} ${cpuMs.toFixed(1)} ms of CPU a frame; frames: ${summary(times)}`);
}

function summary(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1);
  return `median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(1)} ms (${times.length})`;
}

await main();
