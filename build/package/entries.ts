/**
 * Every file that something starts by its path: a process, a thread, or the package itself. Each becomes a separate
 * file in the package's `app/`, with the short name on the left; shared code is split into parts beside them. The build
 * fails for a file that is started by its path and not listed here (`started-by-path.ts`).
 */
const WORKERS = {
  gateway: 'gateway/entry.ts',
  confine: 'gateway/confine/confine.ts',
  'audit-index': 'main/audit/index-worker.ts',
  'embedded-database': 'gateway/capabilities/db/embedded/worker.ts',
  'embedded-database-watch': 'gateway/capabilities/db/embedded/thread.ts',
  devices: 'gateway/capabilities/tags/devices/thread.ts',
  'history-reader': 'gateway/capabilities/historian/reader/thread.ts',
  'history-writer': 'gateway/capabilities/historian/writer/thread.ts',
  http: 'gateway/http/threads/thread.ts',
  'journal-writer': 'common/node/journal/writer-worker.ts',
  keychain: 'main/keychain/keychain-worker.ts',
  outbox: 'gateway/egress/outbox/thread.ts',
  patterns: 'gateway/pipeline/patterns/thread.ts',
  'run-watch': 'gateway/pipeline/run-watch/thread.ts',
  sandbox: 'gateway/sandbox/worker.ts',
} as const satisfies Entries;

/** Short name → source, relative to the project. */
export type Entries = Readonly<Record<string, string>>;

export const SERVICE_ENTRIES: Entries = { service: 'main/service.ts', ...WORKERS };
export const DESKTOP_ENTRIES: Entries = { desktop: 'main/desktop.ts', ...WORKERS };
