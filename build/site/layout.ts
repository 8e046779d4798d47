import { posix } from 'node:path';
import { escapeHtml } from './html.ts';
import type { Group } from './navigation.ts';
import type { Heading } from './render.ts';
import type { Source } from './sources.ts';

export interface Layout {
  groups: readonly Group[];
  version: string;
}

export interface Page {
  /** Relative to the site's root, such as `guides/install.html`. */
  path: string;
  title: string;
  html: string;
  headings: readonly Heading[];
}

const PRODUCT = 'Sluice documentation';

/**
 * A whole page. It has no inline script or style, so that the content security policy can be `'self'` only. All links are
 * relative, so that the site works under /docs/ and from a folder.
 */
export function pageHtml({ groups, version }: Layout, page: Page): string {
  const root = '../'.repeat(page.path.split('/').length - 1);
  const title = page.title === PRODUCT ? PRODUCT : `${page.title} · ${PRODUCT}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${root}assets/sluice.svg" type="image/svg+xml">
<link rel="stylesheet" href="${root}assets/site.css">
<script src="${root}assets/theme.js"></script>
<script src="${root}assets/page.js" defer></script>
</head>
<body data-root="${root}">
<a class="skip" href="#content">Skip to the content</a>
<header>
<button type="button" id="menu" aria-expanded="false" aria-controls="contents">Contents</button>
<a class="brand" href="${root}index.html">${PRODUCT}</a>
<form id="search-form" role="search">
<input id="search" type="search" placeholder="Search ( / )" aria-label="Search the documentation" aria-controls="results" autocomplete="off" spellcheck="false" maxlength="200">
<div class="found"><p id="search-status" role="status" hidden></p><ul id="results" hidden></ul></div>
</form>
<button type="button" id="scheme" aria-label="Light or dark" title="Light or dark">◐</button>
<a id="home" href="/" hidden>Open Sluice</a>
</header>
<nav id="contents" aria-label="Contents">
${groups.map((group) => groupHtml(group, page)).join('\n')}
</nav>
<main id="content" tabindex="-1">
${page.html}${neighbours(groups, page)}<footer>Sluice ${escapeHtml(version)} · <a href="${root}licenses.txt">Third-party licences</a></footer>
</main>
</body>
</html>
`;
}

function groupHtml({ title, pages }: Group, page: Page): string {
  const items = pages.map((source) => itemHtml(source, page)).join('\n');
  return `<h2>${escapeHtml(title)}</h2>\n<ul>\n${items}\n</ul>`;
}

function itemHtml(source: Source, page: Page): string {
  const isHere = source.path === page.path;
  const current = isHere ? ' aria-current="page"' : '';
  const inside = isHere ? onThisPage(page.headings) : '';
  return `<li><a href="${relative(page, source)}"${current}>${escapeHtml(source.title)}</a>${inside}</li>`;
}

function onThisPage(headings: readonly Heading[]): string {
  const items = headings
    .filter(({ depth }) => depth === 2)
    .map(({ title, anchor }) => `<li><a href="#${anchor}">${escapeHtml(title)}</a></li>`);
  return items.length === 0 ? '' : `<ul class="inside">${items.join('')}</ul>`;
}

function neighbours(groups: readonly Group[], page: Page): string {
  const order = groups.flatMap(({ pages }) => pages);
  const at = order.findIndex(({ path }) => path === page.path);
  if (at < 0) return '';
  const link = (source: Source | undefined, label: string, way: string): string =>
    source === undefined
      ? ''
      : `<a rel="${way}" href="${relative(page, source)}"><small>${label}</small>${escapeHtml(source.title)}</a>`;
  return `<nav class="neighbours" aria-label="Previous and next page">${link(order[at - 1], 'Previous', 'prev')}${link(order[at + 1], 'Next', 'next')}</nav>\n`;
}

function relative(page: Page, to: Source): string {
  return posix.relative(posix.dirname(page.path), to.path);
}

/** The first page: every group with its pages. */
export function homePage({ groups }: Layout): Page {
  const lists = groups.map(({ title, pages }) => {
    const items = pages.map((source) => `<li><a href="${source.path}">${escapeHtml(source.title)}</a></li>`).join('');
    return `<section><h2>${escapeHtml(title)}</h2><ul>${items}</ul></section>`;
  });
  const html = `<h1>${PRODUCT}</h1>
<p>These pages come with Sluice and work without internet access. They also open from a folder, when Sluice is not running. Press <kbd>/</kbd> to search.</p>
<div class="groups">${lists.join('\n')}</div>
`;
  return { path: 'index.html', title: PRODUCT, html, headings: [] };
}
