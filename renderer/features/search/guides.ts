import type { Entry } from './entries.ts';

/** The pages that the contents of the documentation lead to, each once. */
export function guidesIn(contents: Document, base: string): Entry[] {
  const pages = new Map<string, Entry>();
  for (const link of contents.querySelectorAll('a[href]')) {
    const href = link.getAttribute('href') ?? '';
    const label = link.textContent.trim();
    if (!/^[\w-]+(?:\/[\w-]+)*\.html$/.test(href) || label === '' || pages.has(href)) continue;
    const [folder = ''] = href.split('/');
    const note = href.includes('/') ? folder : '';
    pages.set(href, { id: href, label, note, href: `${base}${href}`, outside: true });
  }
  return [...pages.values()];
}
