import { spawnSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scrapeConfig } from '#common/model/scrape-config.ts';
import { smallPlugin } from '../service/plugin-package.ts';
import { freePort } from '#test/free-port.ts';
import { ROOT } from '#test/paths.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { nextGateway } from '#test/next-gateway.ts';
import { startService, type TestService } from '#test/service.ts';
import { tempDir } from '#test/temp-dir.ts';
import { dirPerFile } from '#test/test-dir.ts';
import { until } from '#test/until.ts';
import { labelNames, namesAsked, seriesNames } from './metrics-text.ts';

/**
 * The metrics of a whole service in which all metrics have values, and the files that use them. promtool checks format,
 * rules and their tests.
 */
const FILES = join(ROOT, 'docs/monitoring');
const TOKEN = 'a-token-of-the-scraper-1';
const CALLS = 7;
/** A limit against hanging on a busy machine. */
const START_MS_MAX = 60_000;
const P = '/projects/line-1';

const dir = dirPerFile(() => tempDir('sluice-monitoring-'));
let service: TestService;
let metricsPort: number;
let scrape = '';

beforeAll(async () => {
  service = await startService();
  await service.setUp();
  const { admin } = service;
  metricsPort = await freePort();
  const closed = await freePort();
  await admin.ok('PATCH', '/settings', {
    metricsToken: TOKEN,
    metricsHost: '127.0.0.1',
    metricsPort,
    allowedInternalTargets: [`127.0.0.1:${closed}`],
  });
  await admin.ok('POST', '/projects', { id: 'line-1', name: 'Line 1' });
  await breakPipeline();
  await giveResources(closed);
  await callRoutes(closed);
  await admin.ok('PATCH', '/settings', { tls: 'own' });
  scrape = await until(
    'every figure is there',
    async () => {
      const text = await scraped();
      return text.includes('sluice_process_event_loop_delay_p99_seconds{process="gateway"}') && text;
    },
    { timeoutMs: START_MS_MAX, everyMs: 200 },
  );
}, 120_000);
afterAll(() => service?.stop());

/** Through the port of the UI; main/metrics/scrape-address.test.ts tests the other one. */
async function scraped(): Promise<string> {
  const response = await fetch(`${service.ready.ui}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  expect(response.status).toBe(200);
  return response.text();
}

/** A device and a database that are unreachable: they have figures nevertheless. */
async function giveResources(closed: number): Promise<void> {
  const { admin } = service;
  const peer = { host: '127.0.0.1', port: closed };
  await admin.ok('POST', `${P}/connections`, { id: 'plc', settings: { kind: 'modbus', ...peer, timeout: 1 } });
  const source = { provider: 'modbus', connection: 'plc', table: 'holding', address: 1 };
  await admin.ok('POST', `${P}/tags`, { path: 'level', type: 'number', source });
  const logIn = { database: 'mes', user: 'mes', password: 'a password', tls: 'off' };
  await admin.ok('POST', `${P}/connections`, { id: 'mes', settings: { kind: 'postgresql', ...peer, ...logIn } });
  await admin.ok('POST', `${P}/queries`, { id: 'one', connection: 'mes', sql: 'SELECT 1' });
  expect((await admin.request('POST', `${P}/queries/one/test`, {})).status).not.toBe(200);
}

/** The files of its plugin no longer match the approval when the gateway starts again. */
async function breakPipeline(): Promise<void> {
  const { admin } = service;
  const kinds = [{ id: 'calm', title: 'Calm', summary: 'Passes on.', ports: ['out'], scopes: [], settings: {} }];
  const code = 'export default { calm: (message) => message };';
  const archive = await smallPlugin(dir.path, { id: 'calm', code, kinds });
  const { digest } = await admin.ok<{ digest: string }>('POST', '/plugins', { archive });
  await admin.ok('POST', '/plugins/calm/approve', { digest });
  await publish(routePipeline({ id: 'calm', path: '/calm', route: { authType: 'none' }, middle: [{ kind: 'calm' }] }));
  const folder = join(service.dataDir, 'plugins/calm');
  appendFileSync(join(folder, readdirSync(folder)[0] ?? '', 'index.js'), '// changed');
  const { pid } = (await service.status()).gateway;
  process.kill(pid ?? 0, 'SIGKILL');
  await nextGateway(service, pid, { timeoutMs: START_MS_MAX });
}

async function callRoutes(closed: number): Promise<void> {
  const open = { authType: 'none' };
  await publish(routePipeline({ id: 'orders', path: '/orders', route: open, ...fixedReply('done', 201) }));
  const call = { mode: 'egress', method: 'POST', url: `http://127.0.0.1:${closed}/`, staticHeaders: {}, timeout: 1 };
  const sends = [{ kind: 'rest-api', settings: call, port: 'response' }];
  await publish(routePipeline({ id: 'report', path: '/report', route: open, middle: sends }));
  const at = (path: string) => fetch(`${service.ready.gateway}${path}`);
  for (let n = 0; n < CALLS; n++) expect((await at('/orders')).status).toBe(201);
  expect((await at('/nothing')).status).toBe(404);
  await at('/report');
}

async function publish(pipeline: ReturnType<typeof routePipeline>): Promise<void> {
  await service.admin.ok('POST', `${P}/pipelines`, pipeline);
  await service.admin.ok('POST', `${P}/pipelines/${pipeline.id}/start`, {});
}

const value = (series: string): number | null => {
  const line = scrape.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? null : Number(line.slice(series.length + 1));
};
const fileText = (name: string): string => readFileSync(join(FILES, name), 'utf8');
const labelled = (name: string, labels: string): string => `${name}{${labels}}`;
const ORDERS = 'project="line-1",pipeline="orders",node="in",method="GET",route="/orders"';

function promtool(args: readonly string[], input?: string): string {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, { input, encoding: 'utf8', cwd: dir.path });
  if (error !== undefined) throw error;
  return `${status} ${stdout}${stderr}`;
}

function written(name: string, text: string): string {
  const file = join(dir.path, name);
  writeFileSync(file, text);
  return file;
}

test('promtool finds no error in the metrics', () => {
  expect(promtool(['check', 'metrics'], scrape)).toBe('0 ');
  // It does find errors.
  expect(promtool(['check', 'metrics'], 'sluice_calls_total 1\n')).toMatch(/^[13] .*no help text/);
});

test('each family has one header, followed by all of its samples', () => {
  const heads = [...scrape.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name);
  expect(new Set(heads).size).toBe(heads.length);
  expect(heads.length).toBeGreaterThan(50);
  expect([...scrape.matchAll(/^# HELP (\S+) /gm)].map(([, name]) => name)).toEqual(heads);
});

test('calls are counted by class, with their latency, on their route', () => {
  expect(value(labelled('sluice_route_responses_total', `${ORDERS},code="2xx"`))).toBe(CALLS);
  expect(value(labelled('sluice_route_responses_total', `${ORDERS},code="5xx"`))).toBe(0);
  expect(value(labelled('sluice_route_duration_seconds_count', ORDERS))).toBe(CALLS);
  expect(value(labelled('sluice_route_duration_seconds_bucket', `${ORDERS},le="+Inf"`))).toBe(CALLS);
  const bounds = [...scrape.matchAll(/^sluice_route_duration_seconds_bucket\{.*pipeline="orders".*,le="([^"]+)"\}/gm)];
  expect(bounds.length).toBeGreaterThan(10);
  const buckets = bounds.map(([, le]) =>
    value(labelled('sluice_route_duration_seconds_bucket', `${ORDERS},le="${le}"`)),
  );
  expect(buckets).toEqual(buckets.toSorted((a, b) => (a ?? 0) - (b ?? 0)));
  expect(value(labelled('sluice_route_duration_seconds_sum', ORDERS))).toBeGreaterThan(0);
  expect(value('sluice_gateway_unrouted_total')).toBe(1);
});

test('failures are visible in the metrics', () => {
  expect({
    alarm: value('sluice_alarms{code="plugin_not_loaded"}'),
    noAlarm: value('sluice_alarms{code="gateway_down"}'),
    failed: value('sluice_pipeline_failed{project="line-1",pipeline="calm"}'),
    restarts: value('sluice_gateway_restarts_total'),
    device: value('sluice_device_up{project="line-1",connection="plc",provider="modbus"}'),
    badTags: value('sluice_device_tags{project="line-1",connection="plc",provider="modbus",quality="bad"}'),
    database: value('sluice_database_up{project="line-1",connection="mes"}'),
  }).toEqual({ alarm: 1, noAlarm: 0, failed: 1, restarts: 1, device: 0, badTags: 1, database: 0 });
});

test('times are in seconds since 1970 and sizes in bytes', () => {
  const now = Date.now() / 1000;
  const started = value('sluice_start_time_seconds') ?? 0;
  expect(now - started).toBeGreaterThan(0);
  expect(now - started).toBeLessThan(600);
  const ends = value('sluice_certificate_expiry_timestamp_seconds{kind="own"}') ?? 0;
  expect(ends).toBeGreaterThan(now);
  for (const process of ['host', 'gateway']) {
    const resident = value(`sluice_process_resident_memory_bytes{process="${process}"}`) ?? 0;
    expect(resident).toBeGreaterThan(20 * 1024 ** 2);
    expect(resident).toBeLessThan(2 * 1024 ** 3);
  }
  expect(value('sluice_data_disk_free_bytes')).toBeLessThan(value('sluice_data_disk_size_bytes') ?? 0);
  expect(value('sluice_journal_bytes')).toBeGreaterThan(0);
});

test('the metrics contain no secret and no error text', () => {
  for (const secret of [TOKEN, 'a password', 'PRIVATE', 'ECONNREFUSED']) expect(scrape).not.toContain(secret);
});

test.each(['prometheus-rules.yml', 'grafana-dashboard.json'])('every metric that %s uses exists', (file) => {
  const known = seriesNames(scrape);
  const asked = namesAsked(fileText(file));
  expect(asked.length).toBeGreaterThan(15);
  expect(asked.filter((name) => !known.has(name))).toEqual([]);
});

test('every label that the rules and the dashboard use exists', () => {
  const ofRoutes = labelNames(scrape, 'sluice_route_responses_total');
  for (const label of ['project', 'pipeline', 'method', 'route', 'code']) expect(ofRoutes).toContain(label);
  expect(labelNames(scrape, 'sluice_route_duration_seconds_bucket')).toContain('le');
  expect(labelNames(scrape, 'sluice_egress_paused')).toContain('target');
  expect(labelNames(scrape, 'sluice_build_info')).toContain('version');
});

test('Grafana can import the dashboard: panels use its data source and do not overlap', () => {
  const dashboard = JSON.parse(fileText('grafana-dashboard.json')) as {
    templating: { list: { name: string }[] };
    panels: {
      id: number;
      type: string;
      targets?: { expr: string }[];
      gridPos: Record<'x' | 'y' | 'w' | 'h', number>;
    }[];
  };
  expect(dashboard.templating.list.map(({ name }) => name)).toEqual(['datasource', 'instance']);
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  // Each as a rule, so that promtool parses it.
  const rules = expressions.map((expr, n) => ({
    record: `dashboard:${n}`,
    expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'),
  }));
  const text = JSON.stringify({ groups: [{ name: 'dashboard', rules }] });
  expect(promtool(['check', 'rules', written('dashboard.json', text)])).toContain(
    `SUCCESS: ${expressions.length} rules found`,
  );
});

test('promtool accepts the rules, and each alert fires in its own case and not on a healthy machine', () => {
  const alerts = [...fileText('prometheus-rules.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  expect(promtool(['check', 'rules', join(FILES, 'prometheus-rules.yml')])).toContain(
    `SUCCESS: ${alerts.length} rules`,
  );
  const cases = join(ROOT, 'test/monitoring/rules-test.yml');
  expect(promtool(['test', 'rules', cases])).toMatch(/^0 [\s\S]*SUCCESS/);
  const tried = [...readFileSync(cases, 'utf8').matchAll(/^ {2}- name: (\w+)/gm)].map(([, name]) => name);
  expect(tried).toEqual([...alerts, 'quiet']);
});

test('each alert is in the guide', () => {
  const guide = readFileSync(join(ROOT, 'docs/guides/monitoring.md'), 'utf8');
  const alerts = [...fileText('prometheus-rules.yml').matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  expect(alerts.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
});

test('Prometheus accepts the example and the configuration from the settings page', () => {
  const check = (text: string) => promtool(['check', 'config', '--syntax-only', written('prometheus.yml', text)]);
  expect(check(fileText('prometheus-scrape.yml'))).toMatch(/^0 /);
  for (const tls of ['off', 'own'] as const) {
    const settings = { baseUrl: 'http://edge-7', tls };
    const text = scrapeConfig({ settings, metricsHost: '::1', metricsPort: 9464, uiHost: '', token: TOKEN });
    expect(check(text)).toMatch(/^0 /);
  }
});
