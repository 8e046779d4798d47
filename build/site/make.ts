import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { siteAssets, type SiteFile } from './assets.ts';
import { homePage, type Layout, pageHtml } from './layout.ts';
import { checkLinks } from './links.ts';
import { groupsOf } from './navigation.ts';
import { codeBlock, type Rendered, renderPage } from './render.ts';
import { searchIndexScript } from './search-index.ts';
import { readSources, ROOT, sitePath, type Source } from './sources.ts';

/** Shown unchanged; any other linked file becomes a page of code. */
const PICTURE = /\.(png|svg)$/;
const CODE_BYTES_MAX = 256 * 1024;

/**
 * The whole site in memory, by path. Throws with the name of the page if a link is dead, so that no incomplete site is
 * written.
 */
export async function makeSite(): Promise<Map<string, SiteFile>> {
  const sources = readSources();
  const layout: Layout = { groups: groupsOf(sources), version: versionOf() };
  const pages = sources.map((source) => ({ source, rendered: renderPage(source) }));
  checkLinks(pages);
  const site = new Map<string, SiteFile>(await siteAssets());
  for (const { source, rendered } of pages) {
    site.set(source.path, pageHtml(layout, { ...source, ...rendered }));
    addFiles(site, layout, source, rendered);
  }
  const indexed = pages.map(({ source, rendered }) => ({ source, sections: rendered.sections }));
  site.set('assets/search-index.js', searchIndexScript(indexed));
  const home = homePage(layout);
  return site.set(home.path, pageHtml(layout, home));
}

function addFiles(site: Map<string, SiteFile>, layout: Layout, source: Source, { files }: Rendered): void {
  for (const file of files) {
    const info = statSync(join(ROOT, file), { throwIfNoEntry: false });
    if (info === undefined || !file.startsWith('docs/'))
      throw new Error(`${source.file} links to ${file}; expected a file or a folder below docs/.`);
    if (info.isDirectory()) addFolder(site, layout, file);
    else addFile(site, layout, file);
  }
}

function addFile(site: Map<string, SiteFile>, layout: Layout, file: string): void {
  const bytes = readFileSync(join(ROOT, file));
  if (PICTURE.test(file)) {
    site.set(sitePath(file), bytes);
    return;
  }
  if (bytes.byteLength > CODE_BYTES_MAX) throw new Error(`${file} is too large to be shown; expected 256 KiB at most.`);
  const title = posix.basename(file);
  const html = `<h1>${title}</h1>\n${codeBlock(bytes.toString('utf8'), posix.extname(file).slice(1))}`;
  const path = `${sitePath(file)}.html`;
  site.set(path, pageHtml(layout, { path, title, html, headings: [] }));
}

/** A list of the files in the folder, and each of them. */
function addFolder(site: Map<string, SiteFile>, layout: Layout, folder: string): void {
  const names = readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();
  for (const name of names) addFile(site, layout, posix.join(folder, name));
  const title = posix.basename(folder);
  const path = `${sitePath(folder)}.html`;
  const items = names.map((name) => `<li><a href="${title}/${name}.html">${name}</a></li>`).join('');
  site.set(path, pageHtml(layout, { path, title, html: `<h1>${title}</h1>\n<ul>${items}</ul>\n`, headings: [] }));
}

function versionOf(): string {
  return (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version;
}
