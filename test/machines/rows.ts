/** The machines for testing the README's commands: one Debian, one way to install Node and npm, one user. */
export type Suite = 'bookworm' | 'trixie';
export type UserName = 'root' | 'dev';

export interface Row {
  readonly id: string;
  readonly suite: Suite;
  readonly user: UserName;
  /** Debian's own packages, or Node and npm in the given versions from npm's registry; `latest` is npm's newest. */
  readonly runtime: 'debian' | { readonly node: string; readonly npm: string };
}

/** Debian runs the whole test suite with `--tests`; the others differ only in Node and npm. */
export const ROWS: readonly Row[] = [
  { id: 'debian-12', suite: 'bookworm', user: 'dev', runtime: 'debian' },
  { id: 'debian-12-root', suite: 'bookworm', user: 'root', runtime: 'debian' },
  { id: 'debian-13', suite: 'trixie', user: 'dev', runtime: 'debian' },
  { id: 'debian-13-root', suite: 'trixie', user: 'root', runtime: 'debian' },
  // Each Node with the npm that it is published with.
  { id: 'node-18', suite: 'bookworm', user: 'dev', runtime: { node: '18.20.8', npm: '10.8.2' } },
  { id: 'node-20', suite: 'bookworm', user: 'dev', runtime: { node: '20.20.2', npm: '10.8.2' } },
  { id: 'node-22', suite: 'bookworm', user: 'dev', runtime: { node: '22.22.0', npm: '10.9.4' } },
  { id: 'node-24-npm-11.6.1', suite: 'bookworm', user: 'dev', runtime: { node: '24.11.0', npm: '11.6.1' } },
  { id: 'node-24-npm-11.6.2', suite: 'bookworm', user: 'dev', runtime: { node: '24.12.0', npm: '11.6.2' } },
  { id: 'node-24-npm-11.19', suite: 'bookworm', user: 'dev', runtime: { node: '24.21.0', npm: '11.19.1' } },
  { id: 'newest-npm', suite: 'bookworm', user: 'dev', runtime: { node: '24.21.0', npm: 'latest' } },
];

/** Throws if no row has this ID. */
export function rowNamed(id: string): Row {
  const row = ROWS.find((one) => one.id === id);
  if (row === undefined) throw new Error(`--row ${id}: expected one of ${ROWS.map((one) => one.id).join(', ')}`);
  return row;
}

export const DEBIAN_VERSION = { bookworm: '12', trixie: '13' } as const satisfies Record<Suite, string>;
