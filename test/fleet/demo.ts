import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '#test/free-port.ts';
import { fetchNatsServer, natsServer } from '#test/nats-program.ts';
import { ROOT } from '#test/paths.ts';
import { call } from '#test/raw-request.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';
import { ADMIN, startService, type TestService } from '#test/service.ts';
import { type TempDir, tempDir } from '#test/temp-dir.ts';
import { until } from '#test/until.ts';
import { sluiceOk } from './sluice.ts';

/**
 * `npm run demo:fleet`: a hub with nats-server, three edges and their callers on this machine, each a real process on
 * loopback, with everything to try as a command. Ctrl-C ends all of it and removes its files. Each printed command has
 * the line `# expect …` above it, which demo.test.ts checks.
 */
const EDGES = ['line-1', 'line-2', 'line-3'] as const;
type Name = (typeof EDGES)[number];
const CUT: Name = 'line-3';
const CALL_EVERY_MS = 1_000;
const WAIT = { timeoutMs: 60_000, everyMs: 100 };
const DAY_MS = 86_400_000;

interface Edge {
  name: Name;
  service: TestService;
}

async function startHub(dataDir: string, program: string): Promise<{ hub: TestService; port: number }> {
  const port = await freePort();
  const place = [`--nats-host=127.0.0.1`, `--nats-port=${port}`, `--nats-server=${program}`];
  const hub = await startService([...place, `--address=127.0.0.1:${port}`], { command: 'hub', dataDir });
  await hub.setUp();
  await hub.admin.ok('POST', '/projects', { id: 'filling', name: 'Filling' });
  await hub.admin.run('filling', routePipeline({ id: 'count', path: '/count', ...fixedReply('42 bottles') }));
  return { hub, port };
}

/** Edge 3 reaches the hub only through a process that can be stopped. */
async function startCuttable(port: number): Promise<{ child: ChildProcess; address: string }> {
  const child = fork(join(ROOT, 'test/fleet/demo-link.ts'), [String(port)], { silent: true });
  const [text] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  return { child, address: `127.0.0.1:${text.toString().trim()}` };
}

async function startEdge(hub: TestService, folder: TempDir, name: Name, address: string): Promise<Edge> {
  const dataDir = join(folder.path, name);
  // The token names the address at which this edge reaches the hub.
  await sluiceOk('hub', 'init', '--address', address, '--data', hub.dataDir);
  const token = await sluiceOk('hub', 'token', name, '--data', hub.dataDir);
  await sluiceOk('join', token, '--data', dataDir, '--secret-store', 'file');
  const service = await startService([], { dataDir });
  await sluiceOk('hub', 'assign', 'filling', name, '--data', hub.dataDir);
  return { name, service };
}

interface Made {
  id: string;
  value: string;
}

async function makeKey(hub: TestService, name: string): Promise<Made> {
  const made = await hub.admin.ok<{ key: string; record: { id: string } }>('POST', '/projects/filling/keys', { name });
  return { id: made.record.id, value: made.key };
}

/** For the printed calls of the admin API. */
async function makeToken(hub: TestService): Promise<string> {
  const endsAt = new Date(Date.now() + DAY_MS).toISOString();
  const body = { name: 'demo', permissions: ['view', 'manage_keys'], project: null, endsAt, addresses: ['127.0.0.1'] };
  return (await hub.admin.ok<{ token: string }>('POST', '/tokens', body)).token;
}

/** Calls each edge regularly and prints a line when the status changes. Returns a function that ends it. */
function startCallers(edges: readonly Edge[], key: Made): () => void {
  const last = new Map<Name, number>();
  const timer = setInterval(() => {
    for (const { name, service } of edges)
      void call(service.gatewayPort, { path: '/count', key: key.value }).then(
        ({ status }) => {
          const before = last.get(name);
          last.set(name, status);
          if (before !== undefined && before !== status)
            console.log(
              `${new Date().toLocaleTimeString('en-GB')} The caller of ${name} gets ${status} instead of ${before}.`,
            );
        },
        () => {},
      );
  }, CALL_EVERY_MS);
  return () => clearInterval(timer);
}

interface Shown {
  hub: TestService;
  edges: readonly Edge[];
  link: ChildProcess;
  mes: Made;
  scada: Made;
  token: string;
}

function print({ hub, edges, link, mes, scada, token }: Shown): void {
  const port = (name: Name) => edges.find((edge) => edge.name === name)?.service.gatewayPort ?? 0;
  const count = (name: Name, { value }: Made) =>
    `curl -s -o /dev/null -w '%{http_code}\\n' -H 'X-API-Key: ${value}' http://127.0.0.1:${port(name)}/count`;
  const api = (path: string) => `curl -s -H 'Authorization: Bearer ${token}' ${hub.ready.ui}/api/v1${path}`;
  const sluice = (words: string) => `node build/node.cjs main/service.ts ${words} --data ${hub.dataDir}`;
  const revoke = `${api(`/projects/filling/keys/${mes.id}/revoke`)} -X POST`;
  const step = (expected: string, title: string, command: string) =>
    console.log(`\n# ${title}\n# expect ${expected}\n${command}`);
  console.log(`UI of the hub: ${hub.ready.ui}/settings/fleet, name ${ADMIN.name}, password ${ADMIN.password}`);
  step(
    '3 connected',
    'The edges of the hub',
    `${api('/fleet')} | grep -o '"contact":"connected"' | wc -l | sed 's/$/ connected/'`,
  );
  step('200', 'A call of an edge with a key that was made on the hub', count('line-1', mes));
  step('nothing', `Cut ${CUT} off: its link to the hub falls silent`, `kill -STOP ${link.pid}`);
  step('"cut off"', 'The hub notices it within 15 s', `${api('/fleet')} | grep -o '"cut off"'`);
  step(
    '"cutOff":[{"edge":"line-3"',
    'Revoke the key: the reply names the edge that has not confirmed it',
    `${revoke} | grep -o '"cutOff":\\[{"edge":"line-3"'`,
  );
  step('401', 'A connected edge refuses the key', count('line-1', mes));
  step('200', 'The edge without contact still accepts it', count(CUT, mes));
  step('nothing', `Connect ${CUT} again`, `kill -CONT ${link.pid}`);
  step('401', 'It refuses the key once it is back', count(CUT, mes));
  step(
    'line-2 cannot connect any more',
    'Expel line-2',
    `${sluice('hub expel line-2')} | grep -o 'line-2 cannot connect any more'`,
  );
  step('200', 'It keeps its project and accepts the keys that it had', count('line-2', scada));
  console.log('\nCtrl-C ends the demo and removes its files.');
}

async function main(): Promise<void> {
  if (natsServer() === null) fetchNatsServer();
  const program = natsServer();
  if (program === null) throw new Error('nats-server could not be fetched; install version 2.10.27 or later');
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await tempDir('sluice-demo-fleet-'));
  console.log('Starting a hub and three edges …');
  const { hub, port } = await startHub(join(folder.path, 'hub'), program);
  stack.use(hub);
  const mes = await makeKey(hub, 'MES');
  const scada = await makeKey(hub, 'SCADA');
  const { child: link, address } = await startCuttable(port);
  stack.defer(() => void link.kill('SIGKILL'));
  const edges: Edge[] = [];
  for (const name of EDGES) {
    const edge = await startEdge(hub, folder, name, name === CUT ? address : `127.0.0.1:${port}`);
    stack.use(edge.service);
    edges.push(edge);
  }
  // The address of the last edge is that of its link.
  await sluiceOk('hub', 'init', '--address', `127.0.0.1:${port}`, '--data', hub.dataDir);
  for (const { name, service } of edges)
    await until(
      `${name} has the project`,
      async () => (await call(service.gatewayPort, { path: '/count', key: mes.value })).status === 200,
      WAIT,
    );
  stack.defer(startCallers(edges, mes));
  print({ hub, edges, link, mes, scada, token: await makeToken(hub) });
  await stopped;
}

await main();
