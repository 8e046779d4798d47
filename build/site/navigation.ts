import type { Source } from './sources.ts';

/** A heading of the navigation with its pages, in reading order. */
export interface Group {
  title: string;
  pages: Source[];
}

interface FrontGroup {
  title: string;
  /** Pages in this order; missing ones are left out. */
  first: readonly string[];
  /** All other pages below this folder follow, sorted by title. */
  folder?: string;
}

const SPECIFICATION = [
  'overview',
  'processes',
  'pipelines',
  'nodes',
  'routes',
  'requests',
  'keys',
  'capabilities',
  'sandbox',
  'egress',
  'journal',
  'storage',
  'users',
  'admin-api',
  'settings',
  'ui',
  'operation',
];

/**
 * The order in which readers need the pages. A page that is not listed is placed with its folder or in the last group.
 */
const FRONT: readonly FrontGroup[] = [
  {
    title: 'Install',
    first: ['install', 'many-pcs', 'prepare-the-pc', 'windows-service', 'packages', 'desktop-security'].map(guide),
  },
  {
    title: 'Operate',
    first: ['operate', 'troubleshooting', 'monitoring', 'backup-and-restore', 'projects-as-code', 'fleet', 'tls'].map(
      guide,
    ),
  },
  {
    title: 'Call and build',
    first: [
      ...['call-a-route', 'receive-events', 'plant-data', 'databases', 'scripts', 'store-and-forward'].map(guide),
      guide('security-of-capabilities'),
      'plugins/guide.html',
    ],
    folder: 'plugins/',
  },
  { title: 'More guides', first: [], folder: 'guides/' },
  {
    title: 'Specification',
    first: SPECIFICATION.map((name) => `spec/${name}.html`),
    folder: 'spec/',
  },
  {
    title: 'Reference',
    first: [...['limits', 'errors', 'kinds', 'capabilities'].map((name) => `reference/${name}.html`), 'GLOSSARY.html'],
    folder: 'reference/',
  },
  { title: 'Inside Sluice', first: ['ARCHITECTURE.html', 'reliability.html', 'CHANGELOG.html'], folder: '' },
];

function guide(name: string): string {
  return `guides/${name}.html`;
}

/** Every source exactly once; groups without a page are left out. */
export function groupsOf(sources: readonly Source[]): Group[] {
  const left = new Map(sources.map((source) => [source.path, source]));
  const take = (path: string): Source[] => {
    const source = left.get(path);
    left.delete(path);
    return source === undefined ? [] : [source];
  };
  // Named pages first: a folder must not include pages that a later group names.
  const groups = FRONT.map(({ title, first }) => ({ title, pages: first.flatMap(take) }));
  for (const [index, { folder }] of FRONT.entries()) {
    if (folder === undefined) continue;
    const rest = [...left.values()].filter(({ path }) => path.startsWith(folder)).toSorted(inReadingOrder);
    groups[index]?.pages.push(...rest.flatMap(({ path }) => take(path)));
  }
  return groups.filter(({ pages }) => pages.length > 0);
}

/** By folder, then by title; numbered decisions in the order of their numbers. */
function inReadingOrder(a: Source, b: Source): number {
  const folder = (one: Source): string => one.path.slice(0, one.path.lastIndexOf('/') + 1);
  return folder(a).localeCompare(folder(b), 'en') || a.title.localeCompare(b.title, 'en', { numeric: true });
}
