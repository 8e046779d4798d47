import { posix } from 'node:path';
import type { Rendered } from './render.ts';
import { sitePath, type Source } from './sources.ts';

const HREF = /<a [^>]*?href="([^"]*)"/g;

/** Throws an error that lists every link to a missing page or heading. */
export function checkLinks(pages: readonly { source: Source; rendered: Rendered }[]): void {
  const anchors = new Map(
    pages.map(({ source, rendered }) => [source.path, new Set(rendered.headings.map(({ anchor }) => anchor))]),
  );
  const dead = pages.flatMap(({ source, rendered }) => {
    // Other files than pages are checked when they are copied (make.ts).
    const files = new Set(rendered.files.map((file) => `${sitePath(file)}.html`));
    return targetsOf(rendered.html)
      .filter((target) => !leads(anchors, files, source.path, target))
      .map((target) => `${source.file}: ${target}`);
  });
  if (dead.length > 0) throw new Error(`These links of the documentation lead nowhere: ${dead.join(', ')}`);
}

function targetsOf(html: string): string[] {
  return [...html.matchAll(HREF)]
    .map(([, target = '']) => target)
    .filter((target) => !/^(https?|mailto):/.test(target));
}

type Anchors = ReadonlyMap<string, ReadonlySet<string>>;

function leads(anchors: Anchors, files: ReadonlySet<string>, from: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const page = path === '' ? from : posix.join(posix.dirname(from), path);
  const known = anchors.get(page);
  if (known === undefined) return files.has(page);
  return anchor === undefined || known.has(decodeURIComponent(anchor));
}
