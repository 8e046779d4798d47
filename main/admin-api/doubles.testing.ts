import { randomUUID } from 'node:crypto';
import type { Change, GatewayCallName, GatewayCalls } from '#common/control/messages.ts';
import type { SluiceError } from '#common/errors/catalogue.ts';
import type { AuditRow } from '#common/model/audit.ts';
import type { RunRecord } from '#common/model/records.ts';
import { processFigures } from '#common/node/process-figures.ts';
import type { Audit, GatewayLink } from '../contracts.ts';
import { createEgressDouble, type EgressDouble } from './egress-double.testing.ts';

/** Stubs of the journal and the gateway, with switches for errors. They behave as contracts.ts describes. */
export interface AuditDouble extends Audit {
  rows: AuditRow[];
  /** Rows from this one on are refused; 0: all, Infinity: none. */
  failFrom: number;
}

const INTACT = { ok: true, chains: [], findings: [], unproven: [], uncleanStops: [] };
const NO_COUNTS = { values: [], without: 0, others: 0 };

export function createAuditDouble(now: () => string): AuditDouble {
  const rows: AuditRow[] = [];
  let recorded = 0;
  return {
    rows,
    failFrom: Number.POSITIVE_INFINITY,
    async record(row) {
      if (recorded >= this.failFrom) throw new Error('the journal is full');
      recorded++;
      rows.push({ type: 'admin', ...row, time: now() });
    },
    query: async (filter) => ({
      items: rows.filter((row) => !filter.type || row.type === filter.type).slice(0, filter.limit ?? 100),
      next: null,
      searchedTo: null,
      newest: null,
    }),
    summary: async () => ({
      from: '2026-03-01T06:00:00.000Z',
      to: '2026-03-01T07:00:00.000Z',
      stepMs: 60_000,
      bars: [],
      outcomes: { passed: 0, refused: 0, failed: 0 },
      consumers: NO_COUNTS,
      routes: NO_COUNTS,
      addresses: NO_COUNTS,
      next: null,
    }),
    async *export(_filter, format) {
      for (const row of rows) yield format === 'jsonl' ? `${JSON.stringify(row)}\n` : `${row.time},${row.type}\n`;
    },
    refusal: async (requestId) =>
      requestId === 'known' ? { requestId, step: 4, code: 'key_missing', compared: {}, mend: 'Send a key.' } : null,
    lastUsed: async () => new Map(),
    usage: async () => ({ bytes: 4096, bytesPerDay: 1024, oldest: '2026-02-01T06:00:00.000Z' }),
    verify: async () => INTACT,
    async verifyAndRecord(who) {
      await this.record({ ...who, act: 'journal.verify', target: 'journal', status: 200 });
      return INTACT;
    },
    verifying: () => false,
    lastVerification: () => ({ at: '2026-03-01T06:00:00.000Z', by: 'Ada', ok: true, rows: 12, findingCount: 0 }),
    proof: () => '{"sluiceJournalProof":1}\n',
    head: () => {},
    opened: () => {},
    ended: () => {},
    heads: () => [],
    troubles: () => ({ tampered: [], unproven: [], outside: null, spareRows: 0 }),
    lookOutside: async () => {},
    close: async () => {},
  };
}

export interface GatewayDouble extends GatewayLink {
  /** All except those of resources. */
  changes: Change[];
  resources: Extract<Change, { kind: 'resources' }>[];
  /** Results of capability calls, by name; default: null. */
  capabilities: Record<string, unknown>;
  calls: { call: string; args: unknown }[];
  egress: EgressDouble;
  /** Thrown by the next changes and calls. */
  refusal: SluiceError | null;
  state: GatewayLink['state'];
  failed: GatewayLink['failed'];
  plugins: GatewayLink['plugins'];
  run: RunRecord;
  emit(event: Parameters<Parameters<GatewayLink['on']>[0]>[0]): void;
}

export function createGatewayDouble(): GatewayDouble {
  const listeners = new Set<Parameters<GatewayLink['on']>[0]>();
  const run: RunRecord = {
    id: 'run-1',
    requestId: randomUUID(),
    pipeline: 'orders',
    revision: 1,
    caller: { keyId: 'k1', name: 'MES' },
    route: 'POST /api/v1/orders',
    startedAt: '2026-03-01T06:00:00.000Z',
    durationMs: 1.5,
    outcome: 'replied',
    status: 201,
    error: null,
    test: false,
    steps: [
      {
        node: 'in',
        kind: 'rest-api',
        port: 'out',
        startedUs: 0,
        durationUs: 10,
        input: { secret: 'order' },
        output: { secret: 'order' },
      },
    ],
    payloadsOmitted: false,
  };
  const double: GatewayDouble = {
    changes: [],
    resources: [],
    capabilities: {},
    calls: [],
    egress: createEgressDouble(),
    refusal: null,
    run,
    state: 'running',
    since: '2026-03-01T06:00:00.000Z',
    pid: 4711,
    port: 8090,
    restarts: 0,
    silentMs: 500,
    lastOutage: null,
    kinds: [],
    plugins: [],
    failed: [],
    triggerFaults: [],
    errorsWith200: new Map(),
    async change(change) {
      if (double.refusal) throw double.refusal;
      if (change.kind === 'resources') double.resources.push(structuredClone(change));
      else double.changes.push(structuredClone(change));
    },
    async call<C extends GatewayCallName>(call: C, args: GatewayCalls[C]['args']): Promise<GatewayCalls[C]['value']> {
      if (double.refusal) throw double.refusal;
      double.calls.push({ call, args: structuredClone(args) });
      const answers: { [Name in GatewayCallName]: (args: GatewayCalls[Name]['args']) => GatewayCalls[Name]['value'] } =
        {
          check: () => ({ errors: [], warnings: [], scopes: ['db:write'], scripts: [] }),
          test: () => ({ ...double.run, test: true }),
          'key-things': () => ({ since: '2026-03-01T06:00:00.000Z', lists: {} }),
          runs: () => [double.run],
          run: () => double.run,
          capability: ({ name }) => double.capabilities[name] ?? null,
          'connection-test': () => ({ ok: true, text: 'PostgreSQL 15', durationMs: 3 }),
          'database-schema': () => ({ tables: [], truncated: false }),
          'query-test': () => ({ rows: [], rowCount: 0, truncated: false }),
          'script-test': () => ({ value: null, lines: [] }),
          'script-check': () => ({ fault: null }),
          stats: () => ({
            connections: 1,
            inFlight: 0,
            bodyBytes: 0,
            journal: { state: 'ok', head: null },
            routes: [route],
            process: processFigures(),
            devices: [],
            databases: [],
            scripts: { native: 12, sandbox: 3 },
          }),
          traffic: () => ({ epoch: 'e', cursor: 0, inFlight: 0, parts: [] }),
          'node-traffic': () => ({ revision: 1, nodes: [] }),
          ...double.egress.handlers,
        };
      return structuredClone(answers[call](args));
    },
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    emit: (event) => listeners.forEach((listener) => listener(event)),
    start: async () => {},
    stop: async () => {},
  };
  return double;
}

const route = {
  project: 'line-7',
  pipeline: 'orders',
  node: 'in',
  method: 'POST',
  pattern: '/a"b\\c',
  calls: 3,
  refused: 2,
  errors: 1,
  errorsWith200: 0,
};
