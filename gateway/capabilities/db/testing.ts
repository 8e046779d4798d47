import type { ConnectionDefinition } from '#common/model/connection.ts';
import { type NamedQuery, namedQuery } from '#common/model/named-query.ts';
import { NO_RESOURCES } from '#common/model/resources.ts';
import { createLogger } from '#common/node/log.ts';
import { tempDir } from '#test/temp-dir.ts';
import { TargetGuard } from '#net/target-guard.ts';
import { callContext } from '../call-context.testing.ts';
import type { CallContext } from '../contract.ts';
import { CapabilityBroker } from '../capability-broker.ts';
import { createDatabases, type Databases } from './databases.ts';
import { ENDLESS_DISK } from '../disk-room.testing.ts';

/** The databases of one project behind a real broker, for tests. */
export interface Bench extends AsyncDisposable {
  readonly databases: Databases;
  readonly door: CapabilityBroker;
  readonly guard: TargetGuard;
  readonly dataDir: string;
  sql(
    sql: string,
    params?: Record<string, unknown>,
    given?: { connection?: string; signal?: AbortSignal; ms?: number; project?: string },
  ): Promise<{ rows: Record<string, unknown>[]; rowCount: number; truncated: boolean }>;
  context(signal?: AbortSignal, ms?: number, project?: string): CallContext;
}

export interface BenchOptions {
  readonly connections?: readonly ConnectionDefinition[];
  readonly queries?: readonly (Partial<NamedQuery> & { id: string; sql: string })[];
  readonly allowed?: readonly string[];
  readonly usual?: string;
}

export async function openBench(options: BenchOptions = {}): Promise<Bench> {
  const { connections = [], queries = [], allowed = [], usual = 'embedded' } = options;
  const dir = await tempDir('sluice-db-');
  const guard = new TargetGuard(allowed);
  const databases = createDatabases({
    dataDir: dir.path,
    guard,
    disk: ENDLESS_DISK,
    log: createLogger('test', () => undefined),
  });
  const resources = {
    ...NO_RESOURCES('p'),
    connections: [...connections],
    queries: queries.map((query) => namedQuery.parse(query)),
  };
  await databases.configure('p', resources);
  await databases.configure('other', NO_RESOURCES('other'));
  const door = new CapabilityBroker([databases]);
  const context = (signal = new AbortController().signal, ms = 30_000, project = 'p'): CallContext =>
    callContext({ project, signal, remainingMs: () => ms });
  return {
    databases,
    door,
    guard,
    dataDir: dir.path,
    context,
    sql: (sql, params = {}, { connection = usual, signal, ms, project } = {}) =>
      door.call(context(signal, ms, project), 'db.sql', { connection, sql, params }),
    async [Symbol.asyncDispose]() {
      await databases.close();
      await dir.remove();
    },
  };
}
