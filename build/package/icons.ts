import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright';
import { browserProgram } from '#test/browser-program.ts';
import { icnsOf, icoOf, ICON_SIZES, type Picture } from './icon-files.ts';
import { ROOT } from './places.ts';

/** The drawing from which all icons are generated; the UI shows it unchanged. */
const DRAWING = join(ROOT, 'renderer', 'public', 'sluice.svg');

/** Draws the icons of all systems into `folder`: icon.ico, icon.icns and icons/<size>x<size>.png. */
export async function makeIcons(folder: string): Promise<void> {
  const pictures = await draw(readFileSync(DRAWING, 'utf8'));
  mkdirSync(join(folder, 'icons'), { recursive: true });
  writeFileSync(join(folder, 'icon.ico'), icoOf(pictures));
  writeFileSync(join(folder, 'icon.icns'), icnsOf(pictures));
  for (const { size, png } of pictures) writeFileSync(join(folder, 'icons', `${size}x${size}.png`), png);
}

async function draw(svg: string): Promise<Picture[]> {
  // The same browser as in the tests of the UI.
  const browser = await chromium.launch({ executablePath: browserProgram() });
  try {
    const pictures: Picture[] = [];
    for (const size of ICON_SIZES) pictures.push({ size, png: await pictureAgain(browser, svg, size) });
    return pictures;
  } finally {
    await browser.close();
  }
}

/** On a busy machine, Chromium sometimes cannot capture a page; a new page can be captured. */
const ATTEMPTS_MAX = 3;

async function pictureAgain(browser: Browser, svg: string, size: number, attempt = 1): Promise<Buffer> {
  try {
    return await picture(browser, svg, size);
  } catch (error) {
    if (attempt === ATTEMPTS_MAX) throw error;
    return pictureAgain(browser, svg, size, attempt + 1);
  }
}

async function picture(browser: Browser, svg: string, size: number): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`);
  const png = await page.screenshot({ omitBackground: true });
  await page.close();
  return png;
}
