import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { scrapeConfig } from '#common/model/scrape-config.ts';
import { freePort } from '#test/free-port.ts';
import { ROOT } from '#test/paths.ts';
import { nextGateway } from '#test/next-gateway.ts';
import { startService, type TestService } from '#test/service.ts';
import { type TempDir, tempDir } from '#test/temp-dir.ts';
import { until } from '#test/until.ts';

/**
 * `npm run try:monitoring`: Sluice here, Debian's Prometheus in a network namespace of its own, with the files of
 * docs/monitoring as they are. Shows that the metrics are scraped over the network, that the rules are loaded and that
 * an alert fires. Needs Linux, root, iproute2, curl and the package `prometheus`.
 *
 * Everything that it creates has its process ID in its name and is removed when it ends, in any case.
 */
const run = promisify(execFile);
const NAMESPACE = `sluice-try-${process.pid}`;
const LINK = { here: `slh${process.pid}`.slice(0, 15), there: `slt${process.pid}`.slice(0, 15) };
/** TEST-NET-2, which is never routed. */
const HERE = '198.51.100.1';
const THERE = '198.51.100.2';
const TOKEN = 'a-token-of-the-scraper-1';
const RESTARTS = 3;
const PATIENCE = { timeoutMs: 60_000, everyMs: 500 };

const closers: (() => Promise<unknown>)[] = [];
const say = (what: string, found: unknown): void => console.log(`${what.padEnd(46)} ${String(found)}`);

async function main(): Promise<void> {
  await expectMachine();
  const dir = await tempDir('sluice-try-monitoring-');
  closers.push(() => dir.remove());
  await makeNamespace();
  const service = await startService();
  closers.push(() => service.stop());
  await service.setUp();
  const port = await openMetrics(service);
  await sayDoors(service, port);
  await startPrometheus(dir, port);
  await sayScrape();
  await sayAlert(service);
}

async function expectMachine(): Promise<void> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) throw new Error('This needs Linux and root.');
  const programs = ['ip', 'curl', 'prometheus', 'promtool'];
  const folders = (process.env['PATH'] ?? '').split(':');
  const missing = programs.filter((program) => !folders.some((folder) => existsSync(join(folder, program))));
  if (missing.length > 0)
    throw new Error(`Missing: ${missing.join(', ')}. On Debian: apt-get install iproute2 curl prometheus`);
}

async function makeNamespace(): Promise<void> {
  const ip = (...args: string[]) => run('ip', args);
  await ip('netns', 'add', NAMESPACE);
  // Its end of the link is removed with it, and with that the link.
  closers.push(() => ip('netns', 'delete', NAMESPACE));
  await ip('link', 'add', LINK.here, 'type', 'veth', 'peer', 'name', LINK.there, 'netns', NAMESPACE);
  await ip('address', 'add', `${HERE}/30`, 'dev', LINK.here);
  await ip('link', 'set', LINK.here, 'up');
  await ip('-n', NAMESPACE, 'address', 'add', `${THERE}/30`, 'dev', LINK.there);
  await ip('-n', NAMESPACE, 'link', 'set', LINK.there, 'up');
  await ip('-n', NAMESPACE, 'link', 'set', 'lo', 'up');
}

async function openMetrics({ admin }: TestService): Promise<number> {
  const metricsPort = await freePort();
  await admin.ok('PATCH', '/settings', { metricsToken: TOKEN, metricsHost: HERE, metricsPort });
  return metricsPort;
}

/** In the namespace. Returns the status, or `no connection`. */
async function statusThere(url: string, ...args: string[]): Promise<string> {
  const given = ['-s', '-o', '/dev/null', '-w', '%{http_code}', '--max-time', '5', ...args, url];
  return run('ip', ['netns', 'exec', NAMESPACE, 'curl', ...given]).then(
    ({ stdout }) => stdout,
    () => 'no connection',
  );
}

async function sayDoors(service: TestService, port: number): Promise<void> {
  const metrics = `http://${HERE}:${port}/metrics`;
  const header = `Authorization: Bearer ${TOKEN}`;
  say('GET /metrics from the namespace', await statusThere(metrics, '-H', header));
  say('… without the token', await statusThere(metrics));
  say(
    'GET /api/v1/status there, with the token',
    await statusThere(metrics.replace('metrics', 'api/v1/status'), '-H', header),
  );
  say('the admin UI from the namespace', await statusThere(`http://${HERE}:${new URL(service.ready.ui).port}/`));
  const { stdout } = await run('ip', ['netns', 'exec', NAMESPACE, 'curl', '-s', '-H', header, metrics]);
  say('series in a scrape', stdout.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length);
}

async function startPrometheus(dir: TempDir, port: number): Promise<void> {
  const settings = { baseUrl: `http://${HERE}`, tls: 'off' } as const;
  const config = scrapeConfig({ settings, metricsHost: HERE, metricsPort: port, uiHost: '', token: TOKEN });
  const file = join(dir.path, 'prometheus.yml');
  cpSync(join(ROOT, 'docs/monitoring/prometheus-rules.yml'), join(dir.path, 'prometheus-rules.yml'));
  const pace = 'global:\n  scrape_interval: 1s\n  evaluation_interval: 1s\nrule_files: [prometheus-rules.yml]\n';
  writeFileSync(file, pace + config);
  const flags = [`--config.file=${file}`, `--storage.tsdb.path=${join(dir.path, 'data')}`, '--log.level=warn'];
  const listen = '--web.listen-address=127.0.0.1:9090';
  const prometheus = spawn('ip', ['netns', 'exec', NAMESPACE, 'prometheus', ...flags, listen], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  closers.push(() => ended(prometheus));
}

/** `ip netns exec` becomes the program that it starts: the signal is Prometheus's own. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}

interface Answer<T> {
  data: T;
}

async function ask<T>(path: string): Promise<T | null> {
  const url = `http://127.0.0.1:9090/api/v1/${path}`;
  const { stdout } = await run('ip', ['netns', 'exec', NAMESPACE, 'curl', '-s', url]).catch(() => ({ stdout: '' }));
  return stdout.startsWith('{') ? (JSON.parse(stdout) as Answer<T>).data : null;
}

interface Found {
  result: { metric: Record<string, string>; value: [number, string] }[];
}

async function valueOf(query: string): Promise<string | null> {
  const found = await ask<Found>(`query?query=${encodeURIComponent(query)}`);
  return found?.result[0]?.value[1] ?? null;
}

async function sayScrape(): Promise<void> {
  say(
    'up{job="sluice"}',
    await until('the scrape works', async () => ((await valueOf('up')) === '1' ? '1' : null), PATIENCE),
  );
  say('sluice_gateway_up', await valueOf('sluice_gateway_up'));
  const rules = await until(
    'the rules are loaded',
    () => ask<{ groups: { rules: { name: string; health: string }[] }[] }>('rules'),
    PATIENCE,
  );
  const loaded = rules.groups.flatMap((group) => group.rules);
  say('alert rules loaded', loaded.length);
  const healthy = await until(
    'every rule was evaluated',
    async () => {
      const now = await ask<typeof rules>('rules');
      const all = now?.groups.flatMap((group) => group.rules) ?? [];
      return all.length > 0 && all.every(({ health }) => health === 'ok') ? all.length : null;
    },
    PATIENCE,
  );
  say('… evaluated without an error', healthy);
  say('alerts that fire', (await valueOf('count(ALERTS{alertstate="firing"})')) ?? '0');
}

async function sayAlert(service: TestService): Promise<void> {
  for (let n = 1; n <= RESTARTS; n++) {
    const { pid } = (await service.status()).gateway;
    process.kill(pid ?? 0, 'SIGKILL');
    await nextGateway(service, pid, PATIENCE);
    await until('it is scraped', async () => (await valueOf('sluice_gateway_restarts_total')) === String(n), PATIENCE);
    say(`gateway killed, sluice_gateway_restarts_total`, n);
  }
  const firing = 'ALERTS{alertname="SluiceGatewayRestarts",alertstate="firing"}';
  say(firing, await until('the alert fires', async () => valueOf(firing), PATIENCE));
  say('sluice_alarms{code="gateway_restarted"}', await valueOf('sluice_alarms{code="gateway_restarted"}'));
}

async function close(): Promise<void> {
  for (const closer of closers.splice(0).toReversed())
    await closer().catch((error: unknown) => {
      console.error(`left behind: ${String(error)}`);
      process.exitCode = 1;
    });
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void close().finally(() => process.exit(1)));

await main()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  })
  .finally(close);
