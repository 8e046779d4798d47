import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AdminClient } from '#test/admin-client.ts';
import type { TestService } from '#test/service.ts';

/** A plant for the screenshots: two lines with keys and callers, an MES that is partly down, users, and an alarm. */
export interface Plant {
  readonly service: TestService;
  /** The project and the key of the current rotation. */
  readonly rotation: string;
  stop(): Promise<void>;
}

const CALL_EVERY_MS = 250;

export async function buildPlant(service: TestService): Promise<Plant> {
  const { admin } = service;
  await importSample(admin, 'filling-line');
  const filling = await makeKeys(admin, 'filling-line', {
    'MES filling line': ['db:read', 'db:write', 'tag:write', 'vars:write', 'script:execute'],
    'Line display': ['tag:read', 'db:read', 'hist:read', 'vars:read', 'file:read'],
    'Labeller L2': ['tag:read', 'db:read'],
  });
  await importSample(admin, 'demo');
  await admin.ok('POST', '/projects/line-7/pipelines/archive/stop');
  const line7 = await makeKeys(admin, 'line-7', { 'MES line 7': ['db:read', 'db:write'], 'Andon board': [] });
  await admin.ok('PUT', '/projects/filling-line/variables/shift', { value: { name: 'early', lead: 'J. Keller' } });
  await admin.ok('PUT', '/projects/filling-line/variables/batch', { value: 'B-20416' });
  const text = 'order;bottles\nWO-2001;2500\nWO-2002;1200\n';
  await admin.ok('PUT', '/projects/filling-line/files/reports%2Fearly-shift.csv', { content: text });
  const targets = await buildLink(admin);
  await revokedKey(admin);
  const rotation = await rotate(admin);
  const calls = new Calls(`http://127.0.0.1:${service.gatewayPort}/api/v1`, [...filling, ...line7, rotation.value]);
  await calls.once();
  const timer = setInterval(() => calls.next(), CALL_EVERY_MS);
  return {
    service,
    rotation: rotation.path,
    async stop() {
      clearInterval(timer);
      await calls.settled();
      for (const target of targets) {
        target.closeAllConnections();
        target.close();
      }
    },
  };
}

const sample = (name: string) => new URL(`../../../docs/samples/${name}.json`, import.meta.url);

/** Imports a sample project of Sluice, and starts all of its pipelines. */
async function importSample(admin: AdminClient, name: string): Promise<void> {
  const file = JSON.parse(await readFile(sample(name), 'utf8')) as {
    project: { id: string };
    pipelines: { id: string }[];
  };
  await admin.ok('POST', '/projects/import', { file });
  for (const { id } of file.pipelines) await admin.ok('POST', `/projects/${file.project.id}/pipelines/${id}/start`, {});
}

async function makeKeys(admin: AdminClient, project: string, scopesOf: Record<string, string[]>): Promise<string[]> {
  const values: string[] = [];
  for (const [name, scopes] of Object.entries(scopesOf))
    values.push((await admin.ok<{ key: string }>('POST', `/projects/${project}/keys`, { name, scopes })).key);
  return values;
}

async function revokedKey(admin: AdminClient): Promise<void> {
  const key = { name: 'Old labeller L1', scopes: [] };
  const { record } = await admin.ok<{ record: { id: string } }>('POST', '/projects/filling-line/keys', key);
  await admin.ok('POST', `/projects/filling-line/keys/${record.id}/revoke`, {});
}

async function rotate(admin: AdminClient): Promise<{ value: string; path: string }> {
  const { items } = await admin.ok<{ items: { id: string; name: string }[] }>('GET', '/projects/line-7/keys');
  const old = items.find(({ name }) => name === 'MES line 7')?.id ?? '';
  const { key } = await admin.ok<{ key: string }>('POST', `/projects/line-7/keys/${old}/rotate`, {});
  return { value: key, path: `/settings/api-keys/line-7/${old}/rotation` };
}

/**
 * The MES is four hosts: one accepts everything, one is out of order, one refuses the log-in, one refuses the events.
 */
const TARGETS = [
  { name: 'orders', host: '127.0.0.2', status: 200, reason: 'taken' },
  { name: 'labels', host: '127.0.0.3', status: 503, reason: 'the label service is down' },
  { name: 'archive', host: '127.0.0.4', status: 401, reason: 'token expired' },
  { name: 'quality', host: '127.0.0.5', status: 422, reason: 'unknown batch' },
] as const;
type Target = (typeof TARGETS)[number];

async function startTarget({ host, status, reason }: Target): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify({ reason }));
    });
  });
  server.listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the target has no port');
  return { server, url: `http://${host}:${address.port}` };
}

async function buildLink(admin: AdminClient): Promise<Server[]> {
  await admin.ok('POST', '/projects', { id: 'mes-link', name: 'MES link' });
  const servers: Server[] = [];
  const allowed: string[] = [];
  for (const target of TARGETS) {
    const { server, url } = await startTarget(target);
    servers.push(server);
    allowed.push(new URL(url).host);
    await admin.ok('PATCH', '/settings', { allowedInternalTargets: allowed });
    await admin.ok('POST', '/projects/mes-link/pipelines', link(target.name, url));
    await admin.ok('POST', `/projects/mes-link/pipelines/${target.name}/start`, {});
  }
  return servers;
}

const link = (id: string, url: string) => ({
  id,
  name: `Hand ${id} to the MES`,
  nodes: [
    {
      id: 'in',
      kind: 'rest-api',
      position: { x: 0, y: 0 },
      settings: { mode: 'ingress', method: 'POST', urlPattern: `/api/v1/mes/${id}`, authType: 'none' },
    },
    {
      id: 'mes',
      kind: 'rest-api',
      name: `MES ${id}`,
      position: { x: 280, y: 0 },
      settings: {
        mode: 'egress',
        url: `${url}/mes/${id}`,
        method: 'POST',
        timeout: 5,
        staticHeaders: { Authorization: 'Bearer of-april' },
      },
    },
    { id: 'kept', kind: 'http-response', name: 'Kept', position: { x: 560, y: 0 }, settings: { status: 202 } },
    { id: 'gone', kind: 'http-response', name: 'Passed on', position: { x: 560, y: 160 }, settings: { status: 200 } },
  ],
  wires: [
    { from: 'in', port: 'out', to: 'mes' },
    { from: 'mes', port: 'queued', to: 'kept' },
    { from: 'mes', port: 'response', to: 'gone' },
  ],
});

/** The calls of the line systems during the day: mostly successful, some of them refused. */
class Calls {
  readonly #gateway: string;
  readonly #keys: readonly string[];
  readonly #open = new Set<Promise<unknown>>();
  #count = 0;

  /** Keys: MES and display of the filling line, its labeller, MES and board of line 7, MES of line 7 rotated. */
  constructor(gateway: string, keys: readonly string[]) {
    this.#gateway = gateway;
    this.#keys = keys;
  }

  /** Each kind of call once, in turn. */
  async once(): Promise<void> {
    const mes = this.#keys[0];
    await this.#call('/line/prepare', mes, { method: 'POST' });
    for (const one of this.#list()) await one();
    for (const { name } of TARGETS)
      for (let n = 0; n < 4; n++) await this.#call(`/mes/${name}`, undefined, json({ orderId: `WO-${n}` }));
  }

  next(): void {
    const list = this.#list();
    const call = list[this.#count++ % list.length];
    if (call === undefined) return;
    const done = call().catch(() => undefined);
    this.#open.add(done);
    void done.finally(() => this.#open.delete(done));
  }

  async settled(): Promise<void> {
    await Promise.all(this.#open);
  }

  #list(): (() => Promise<unknown>)[] {
    const [mes, display, labeller, mes7, board, mes7new] = this.#keys;
    const order = () => json({ orderId: `WO-${2000 + this.#count}`, product: 'Water 0.5 l', quantity: 2500 });
    return [
      () => this.#call('/line/orders', mes, order()),
      () => this.#call('/line/status', display),
      () => this.#call('/line/trend', display),
      () => this.#call('/line/orders/WO-2001', display),
      () => this.#call('/orders', mes7, json({ orderId: 'A-204416', quantity: 25 })),
      () => this.#call('/line/status', display),
      () => this.#call('/line', board),
      () => this.#call('/orders', mes7new, json({ orderId: 'A-204417', quantity: 25 })),
      () => this.#call('/line/status', labeller),
      () => this.#call('/line/trend', labeller),
      () => this.#call('/orders', board, json({ orderId: 'A-1', quantity: 1 })),
      () => this.#call('/mes/orders', undefined, json({ orderId: 'A-204418' })),
    ];
  }

  async #call(path: string, key: string | undefined, init: RequestInit = {}): Promise<void> {
    const headers = { 'Content-Type': 'application/json', ...(key !== undefined && { 'X-API-Key': key }) };
    const answer = await fetch(this.#gateway + path, { ...init, headers, signal: AbortSignal.timeout(10_000) });
    await answer.arrayBuffer();
  }
}

const json = (body: unknown): RequestInit => ({ method: 'POST', body: JSON.stringify(body) });
