import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestBrowser } from '../chromium.ts';

/** The pages in the README. */
const SHOWN = ['overview', 'editor-node', 'route', 'key-rotation', 'journal-why', 'store-forward'];
const FOLDER = fileURLToPath(new URL('../../../docs/images/', import.meta.url));
/** Half of the original size: six of them take about 300 KB. */
const SIZE = { width: 640, height: 400 };

/** Creates small copies of the screenshots in `from` for the README, in docs/images/. */
export async function shrinkForReadme(browser: TestBrowser, from: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const context = await browser.newContext({ viewport: SIZE });
  const page = await context.newPage();
  for (const name of SHOWN) {
    const picture = await readFile(join(from, `${name}-1280-light.png`), 'base64');
    await page.setContent(`<style>body { margin: 0 } img { width: 100vw; display: block }</style>
      <img src="data:image/png;base64,${picture}">`);
    await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  }
  await context.close();
}
