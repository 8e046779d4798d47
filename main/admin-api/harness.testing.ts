import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Permission } from '#common/model/records.ts';
import type { Settings } from '#common/model/settings.ts';
import { diskEdge, type FileEdge } from '#common/node/atomic-file.ts';
import { createLogger } from '#common/node/log.ts';
import type { DesktopPort, ProjectStore } from '../contracts.ts';
import type { FleetPort } from '../fleet-contracts.ts';
import { openAudit } from '../audit/audit.ts';
import { UploadWriters } from '../disk/upload-writers.ts';
import { confirmVault } from '../host/settle-rollback.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { createScrapeAddress } from '../metrics/scrape-address.ts';
import { createPeople } from '../people/people.ts';
import { removeProjectFolder } from '../host/project-folders.ts';
import { createAlarms } from '../host/alarms.ts';
import { HELD_PURPOSE, openHeldFile } from '../host/held-file.ts';
import { createUnsavedChanges } from '../host/unsaved-changes.ts';
import { createPluginControl } from '../third-party/plugin-control.ts';
import { RestoreUpload } from '../host/restore-upload.ts';
import { createPluginStore } from '../third-party/plugin-store.ts';
import { createStoredRoutes } from '../projects/stored-routes.ts';
import { createClearResources } from '../projects/clear-resources.ts';
import { openProjectStore } from '../projects/project-store.ts';
import { BacklogHistory } from '../traffic/backlog.ts';
import { Collector } from '../traffic/collector.ts';
import { TrafficFigures } from '../traffic/figures.ts';
import { createGatewayTls } from '../tls/gateway-tls.ts';
import { createKeyStore } from '../vault/key-store.ts';
import type { OpenedVault } from '../vault/live-vault.ts';
import { createResourceSecrets } from '../vault/resource-secrets.ts';
import { createSettingsStore } from '../vault/settings-store.ts';
import { openVault } from '../vault/vault.ts';
import { createAdminApi, createServices } from './app.ts';
import type { Call } from './call.ts';
import type { AdminDeps } from './deps.ts';
import { type AuditDouble, createAuditDouble, createGatewayDouble, type GatewayDouble } from './doubles.testing.ts';
import { listenAdminApi } from './listen.ts';
import { pipelineStates } from './pipeline-record.ts';
import { CALLS } from './table.ts';

const STARTED_AT = '2026-03-01T06:00:00.000Z';
export const PASSWORD = 'correct horse battery';

export interface Answer {
  status: number;
  body: Record<string, unknown>;
  headers: Headers;
}

export interface Client {
  readonly cookie: string;
  readonly csrfToken: string;
  /** The headers of the session: cookie and token. */
  readonly headers: Readonly<Record<string, string>>;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export interface Harness {
  port: number;
  base: string;
  deps: AdminDeps;
  audit: AuditDouble;
  gateway: GatewayDouble;
  projects: ProjectStore;
  vault: OpenedVault;
  /** Simulated disk errors. */
  faults: { wanted: boolean; vault: boolean; ballast: boolean; free: number };
  /** The source of a backup. */
  backup: { make: AdminDeps['backup'] };
  dataDir: string;
  logged: string[];
  clock: { ms: number };
  /** Without a session. */
  nobody: Client;
  /** Creates the first Administrator and logs in. */
  setUp(): Promise<Client>;
  logIn(name: string, password?: string): Promise<Client>;
  /** A new user with exactly these permissions, logged in. */
  personWith(admin: Client, ...permissions: Permission[]): Promise<Client>;
  /** Stops serving; `close` does so too. */
  stop(): Promise<void>;
  close(graceMs?: number): Promise<void>;
}

export interface HarnessOptions {
  overrides?: Partial<Settings>;
  distDir?: string;
  docsDir?: string;
  /** The real journal instead of the stub. */
  journal?: boolean;
  /** Unsaved changes are kept across a restart. */
  heldFile?: boolean;
  /** A window for the host; default: none. */
  desktop?: DesktopPort;
  /** Default: none. */
  fleet?: FleetPort;
}

/** Set up, with a project and its Administrator. */
export async function createLine(options?: HarnessOptions): Promise<{ harness: Harness; admin: Client }> {
  const harness = await createHarness(options);
  const admin = await harness.setUp();
  await admin.send('POST', '/projects', { id: 'line-7', name: 'Line 7' });
  return { harness, admin };
}

export async function createHarness(options: HarnessOptions = {}): Promise<Harness> {
  const dataDir = await mkdtemp(join(tmpdir(), 'admin-api-'));
  const clock = { ms: Date.parse('2026-03-01T06:00:00Z') };
  const now = () => clock.ms;
  const logged: string[] = [];
  const log = createLogger('admin-api', (line) => logged.push(line));
  const audit = createAuditDouble(() => new Date(now()).toISOString());
  const gateway = createGatewayDouble();
  const faults: Harness['faults'] = { wanted: false, vault: false, ballast: false, free: Infinity };
  const files: FileEdge = {
    ...diskEdge,
    create: (path, bytes) =>
      faults.vault ? Promise.reject(new Error('ENOSPC: no space left on device')) : diskEdge.create(path, bytes),
  };
  const vault = await openVault({ dataDir, secretStore: 'file', packaged: false, log, now, files });
  const realAudit =
    options.journal === true
      ? await openAudit({
          folder: join(dataDir, 'journal'),
          anchorsFile: join(dataDir, 'anchors'),
          anchorKey: randomBytes(32),
          days: 90,
          maxBytes: 1024 ** 3,
          log,
        })
      : undefined;
  const projects = openProjectStore({ file: join(dataDir, 'projects.sqlite'), now });

  const backup: Harness['backup'] = { make: async () => Readable.from([Buffer.from('sealed '), Buffer.from('bytes')]) };
  const { setWanted, saveStopped } = projects;
  projects.setWanted = (project, pipeline, revision) => {
    if (faults.wanted) throw new Error('the disk is full');
    setWanted(project, pipeline, revision);
  };
  projects.saveStopped = (project, pipeline) => {
    if (faults.wanted) throw new Error('the disk is full');
    saveStopped(project, pipeline);
  };
  const { writeStops } = projects;
  const { put } = writeStops;
  writeStops.put = (stop) => {
    if (faults.wanted) throw new Error('the disk is full');
    put(stop);
  };
  const secrets = createResourceSecrets(vault, now);
  const starting: AdminDeps['starting'] = new Set();
  const alarms = createAlarms(() => new Date(now()));
  alarms.raise('plain_http', { text: 'Keys are sent unencrypted.' });
  const collector = new Collector({ file: ':memory:', gateway, now, log });
  const settings = createSettingsStore(vault, { machineName: 'edge-7', overrides: options.overrides ?? {}, now });
  const tls = createGatewayTls({ vault, now });
  const metrics = createMetrics({
    version: '1.0.4',
    startedAt: STARTED_AT,
    dataDir,
    gateway,
    collector,
    settings,
    tls,
    audit,
    pipelines: () => pipelineStates({ projects, gateway }),
    alarms: () => alarms.list(),
    now,
  });
  let port = 0;
  const keys = createKeyStore(vault, { now, randomBytes, lastUsed: () => null });
  const restore = new RestoreUpload({ dataDir, keys, uiPortOf: () => port, uiPort: () => port, log });
  const deps: AdminDeps = {
    people: createPeople({ vault, dataDir, now, elapsedMs: now, log, cost: { n: 1024, r: 8, p: 1 } }),
    keys,
    settings,
    tls,
    projects,
    secrets,
    starting,
    resources: createClearResources(projects, secrets),
    removeProjectFolder: (project) => removeProjectFolder(dataDir, projects, project),
    plugins: createPluginControl({
      store: createPluginStore({ vault, folder: join(dataDir, 'plugins'), now }),
      gateway,
      wanted: () => projects.wanted(),
      starting: () => [...starting],
      log,
    }),
    audit: realAudit ?? audit,
    traffic: new TrafficFigures(collector, now),
    backlog: new BacklogHistory({ file: ':memory:', gateway, now, log }),
    metrics,
    scrapes: createScrapeAddress({ metrics, forGateway: tls.forGateway, log }),
    routes: createStoredRoutes(projects),
    gateway,
    alarms: () => alarms.list(),
    alarmActs: alarms,
    machine: () => ({ name: 'EDGE-1', address: null }),
    version: '1.2.3',
    startedAt: STARTED_AT,
    uiPort: () => port,
    distDir: options.distDir ?? null,
    docsDir: options.docsDir ?? null,
    backup: (passphrase) => backup.make(passphrase),
    restore,
    confirmVault: () => confirmVault(vault, { lost: () => [], accept: async () => {} }),
    unsaved: createUnsavedChanges(
      log,
      () => {},
      options.heldFile === true ? openHeldFile(dataDir, vault.derive(HELD_PURPOSE), log) : undefined,
    ),
    freeAboveReserve: () => faults.free,
    uploads: new UploadWriters(),
    makeRoom: () => {
      const { ballast } = faults;
      if (ballast) {
        Object.assign(faults, { ballast: false, vault: false });
        audit.failFrom = Infinity;
      }
      return ballast;
    },
    ...(options.desktop && { desktop: options.desktop }),
    ...(options.fleet && { fleet: options.fleet }),
    log,
  };
  const server = await listenAdminApi(createAdminApi(createServices(deps)), 0);
  port = server.port;
  const base = `http://127.0.0.1:${port}`;
  const client = (cookie: string, csrfToken: string): Client => {
    const own = { ...(cookie && { cookie }), ...(csrfToken && { 'x-csrf-token': csrfToken }) };
    return {
      cookie,
      csrfToken,
      headers: own,
      send: async (method, path, body, headers = {}) => {
        const answer = await send(base, method, path, body, { ...own, ...headers });
        if (realAudit === undefined) checkAudit(audit, { method, path, answer });
        return answer;
      },
    };
  };
  const nobody = client('', '');
  const logIn = async (name: string, password = PASSWORD): Promise<Client> => {
    const { status, body, headers } = await nobody.send('POST', '/session', { name, password });
    if (status !== 200) throw new Error(`log-in of ${name}: ${status}`);
    return client(headers.getSetCookie()[0]?.split(';')[0] ?? '', String(body['csrfToken']));
  };
  let people = 0;
  let stopped: Promise<void> | null = null;
  return {
    port,
    base,
    deps,
    audit,
    gateway,
    projects,
    vault,
    faults,
    backup,
    dataDir,
    logged,
    clock,
    nobody,
    async setUp() {
      const token = (await readFile(join(dataDir, 'setup-token'), 'utf8')).trim();
      await nobody.send('POST', '/setup', { token, name: 'Ada', password: PASSWORD });
      return logIn('Ada');
    },
    logIn,
    async personWith(admin, ...permissions) {
      const name = `person ${++people}`;
      await admin.send('POST', '/roles', { name, permissions });
      await admin.send('POST', '/users', { name, password: PASSWORD, roles: [name] });
      return logIn(name);
    },
    stop: () => (stopped ??= server.close(0)),
    async close(graceMs = 0) {
      await (stopped ?? server.close(graceMs));
      await deps.scrapes.close();
      await deps.unsaved.close();
      await realAudit?.close();
      projects.close();
      await vault.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

async function send(
  base: string,
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Answer> {
  const response = await fetch(`${base}/api/v1${path}`, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson =
    response.headers.get('content-type')?.includes('json') && !response.headers.get('content-type')?.includes('jsonl');
  const parsed: unknown = isJson && text !== '' ? JSON.parse(text) : { text };
  if (response.ok) checkShape(method, path, parsed);
  return { status: response.status, body: parsed as Record<string, unknown>, headers: response.headers };
}

/** Every response in a test must match the schema that the call declares. */
function checkShape(method: string, path: string, value: unknown): void {
  callOf(method, path)?.response?.parse(value);
}

/**
 * Every successful call must have recorded an audited action that it declares, and no other. Tests check an unwritable
 * journal themselves.
 */
function checkAudit(
  { rows, failFrom }: AuditDouble,
  { method, path, answer }: { method: string; path: string; answer: Answer },
) {
  const call = callOf(method, path);
  if (call === undefined || answer.status >= 400 || failFrom < Infinity) return;
  const id = answer.headers.get('x-request-id') ?? '';
  const written = rows.filter(({ requestId }) => requestId === id).map(({ act = '' }) => act);
  const undeclared = written.filter((act) => !call.acts.includes(act));
  if (undeclared.length > 0)
    throw new Error(`${method} ${path} wrote ${undeclared.join(', ')} and declares none of them`);
  if (call.acts.length > 0 && written.length === 0)
    throw new Error(`${method} ${path} wrote nothing into the journal; expected ${call.acts.join(' or ')}`);
}

function callOf(method: string, path: string): Call | undefined {
  const parts = path.split('?')[0]?.split('/') ?? [];
  return CALLS.find((candidate) => {
    const pattern = candidate.path.split('/');
    const fits =
      pattern.length === parts.length && pattern.every((part, index) => part.startsWith(':') || part === parts[index]);
    return candidate.method === method.toLowerCase() && fits;
  });
}

/** Pipelines that were asked to start, but start only when they are released. */
export function holdStarts({ gateway }: Harness): { readonly asked: Promise<void>; release(): void } {
  const { change } = gateway;
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  gateway.change = async (wanted) => {
    if (wanted.kind === 'start') {
      asked.resolve();
      await released.promise;
    }
    await change(wanted);
  };
  return { asked: asked.promise, release: released.resolve };
}
