import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { tempDir } from '#test/temp-dir.ts';
import type { SiteFile } from './assets.ts';
import { checkLinks } from './links.ts';
import { makeSite } from './make.ts';
import { groupsOf } from './navigation.ts';
import { renderPage } from './render.ts';
import { sourceOf } from './sources.ts';
import { writeSite } from './write.ts';

const guide = (name: string, text: string) => sourceOf(`docs/guides/${name}.md`, text);
const render = (text: string) => renderPage(guide('one', text));

describe('a page', () => {
  test('shows raw HTML as text', () => {
    const { html } = render('# One\n\n<script>alert(1)</script>\n\nA <b onclick="x">word</b>.');
    expect(html).not.toMatch(/<script|<b /);
    expect(html).toContain('&lt;script&gt;');
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', '/etc/passwd', 'file:///x', '//elsewhere.example'])(
    'is refused with a link to %s',
    (target) => {
      expect(() => render(`# One\n\n[x](${target})`)).toThrow('docs/guides/one.md links to');
    },
  );

  test('links to the pages of other documents, below the root of the site', () => {
    const { html } = render('# One\n\n[a](two.md#part-b) [b](../reference/kinds.md) [c](../../CHANGELOG.md)');
    expect(html).toContain('href="two.html#part-b"');
    expect(html).toContain('href="../reference/kinds.html"');
    expect(html).toContain('href="../CHANGELOG.html"');
  });

  test('gives headings the same anchors as GitHub, and duplicate ones their own', () => {
    const { headings, sections } = render('# One\n\nLead.\n\n## `a.b` & C\n\nText 1.\n\n## Part\n\n## Part\n\nText 2.');
    expect(headings.map(({ anchor }) => anchor)).toEqual(['one', 'ab--c', 'part', 'part-1']);
    expect(sections).toEqual([
      { title: '', anchor: '', text: 'Lead.' },
      { title: 'a.b & C', anchor: 'ab--c', text: 'Text 1.' },
      { title: 'Part', anchor: 'part', text: '' },
      { title: 'Part', anchor: 'part-1', text: 'Text 2.' },
    ]);
  });

  test('is refused without a title', () => {
    expect(() => guide('two', 'Text.')).toThrow('docs/guides/two.md has no title');
  });
});

test.each([
  ['a page that does not exist', '[x](gone.md)', 'gone.html'],
  ['a heading that does not exist', '[x](#gone)', '#gone'],
])('a link to %s is reported', (_what, text, target) => {
  const source = guide('one', `# One\n\n${text}`);
  expect(() => checkLinks([{ source, rendered: renderPage(source) }])).toThrow(`docs/guides/one.md: ${target}`);
});

test('every page is in the navigation once: listed ones in their order, others with their folder or last', () => {
  const files = ['docs/new/page.md', 'docs/guides/zebra.md', 'docs/guides/tls.md', 'docs/guides/operate.md'];
  const groups = groupsOf(files.map((file) => sourceOf(file, `# ${file}`)));
  expect(groups.map(({ title, pages }) => [title, ...pages.map(({ path }) => path)])).toEqual([
    ['Operate', 'guides/operate.html', 'guides/tls.html'],
    ['More guides', 'guides/zebra.html'],
    ['Inside Sluice', 'new/page.html'],
  ]);
});

describe('the site', () => {
  let site: ReadonlyMap<string, SiteFile>;
  beforeAll(async () => {
    site = await makeSite();
  });
  const pages = () =>
    [...site].flatMap(([path, content]) => (path.endsWith('.html') ? [{ path, html: String(content) }] : []));

  test('has pages that a policy for its own files alone does not block', () => {
    expect(pages().length).toBeGreaterThan(30);
    for (const { path, html } of pages()) {
      expect(html, path).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+="|<iframe|<object/);
      expect(html, path).not.toMatch(/(src|<link [^>]*href)="https?:/);
    }
  });

  test('has every file that a page links to', () => {
    for (const { path, html } of pages()) {
      for (const [, target = ''] of html.matchAll(/(?:href|src)="([^"#]+)[^"]*"/g)) {
        if (/^(https?|mailto):|^\/$/.test(target)) continue;
        const file = posix.join(posix.dirname(path), target);
        expect(site.has(file), `${path}: ${target}`).toBe(true);
      }
    }
  });

  test('is written with its first page last, so that its time marks the site as complete', () => {
    expect([...site.keys()].at(-1)).toBe('index.html');
  });

  test('replaces the contents of its folder', async () => {
    await using folder = await tempDir();
    await writeFile(join(folder.path, 'old.html'), 'a page that is gone');
    expect(await writeSite(folder.path)).toBe(site.size);
    expect(existsSync(join(folder.path, 'old.html'))).toBe(false);
    expect(existsSync(join(folder.path, 'guides/troubleshooting.html'))).toBe(true);
  });

  test('includes the licences of its contents', () => {
    const text = String(site.get('licenses.txt'));
    expect(text).toContain('## minisearch - ');
    expect(text).toContain('SIL OPEN FONT LICENSE');
  });
});
