import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { until } from '#test/until.ts';
import { BootedRoot, makeSystemdRoot, removeSystemdRoot } from './booted-root.ts';
import { InstalledService, type Replacement } from './installed-service.ts';

/**
 * The installed package under a real systemd, as root on Debian with debootstrap and systemd-container:
 *
 *     npm run try:systemd -- [DEB] [--root FOLDER]
 *
 * Makes a Debian 12 with debootstrap (or copies FOLDER, made by debootstrap), boots it with systemd-nspawn in a separate
 * network, installs DEB (or the one in release/), freezes its processes with SIGSTOP, and prints a table of the results,
 * last `N passed, N failed`. It removes everything that it made.
 */
const BACK_SECONDS_MAX = 30;
const DROP_IN = '/run/systemd/system/sluice.service.d/try.conf';

const rows: { ok: boolean; title: string; seen: string }[] = [];

/** Adds a row to the table: the result of `look`, or its error. */
async function row(title: string, look: () => Promise<string> | string): Promise<void> {
  let seen = '';
  let ok = false;
  try {
    seen = await look();
    ok = true;
  } catch (error) {
    seen = error instanceof Error ? error.message : String(error);
  }
  rows.push({ ok, title, seen });
  console.log(`${ok ? 'ok  ' : 'FAIL'}  ${title}: ${seen}`);
}

function expect(isSo: boolean, seen: string): string {
  if (!isSo) throw new Error(seen);
  return seen;
}

async function timed(act: () => unknown): Promise<string> {
  const startMs = performance.now();
  await act();
  return `${((performance.now() - startMs) / 1000).toFixed(1)} s`;
}

async function life(machine: BootedRoot, deb: string): Promise<void> {
  const service = new InstalledService(machine);
  const freeze = (...pids: number[]): void => {
    // 0 would be the whole process group, including this program.
    if (pids.some((pid) => !(pid > 1))) throw new Error(`a process to freeze is not there: ${pids.join(', ')}`);
    machine.run('sh', '-c', `kill -STOP ${pids.join(' ')}`);
  };
  const back = ({ seconds, awaySeconds }: Replacement) =>
    expect(seconds <= BACK_SECONDS_MAX, `${seconds.toFixed(1)} s, routes away for ${awaySeconds.toFixed(1)} s`);
  const warnings = () => machine.run('journalctl', '--unit=sluice', '--priority=warning', '--output=cat', '--no-pager');

  await row('the system', () => machine.run('systemctl', '--version').split('\n')[0] ?? '');
  await row('the package installs and the unit is active', async () => {
    const seconds = await timed(() => machine.run('dpkg', '--install', machine.put(deb)));
    return expect(machine.run('systemctl', 'is-active', 'sluice') === 'active', seconds);
  });
  await row('a keyed route answers', async () => {
    await service.setUp();
    const status = await service.call();
    return expect(status === 200, String(status));
  });
  await row('what systemctl status says', () => {
    const said = /Status: "(.*)"/.exec(machine.run('systemctl', 'status', '--no-pager', 'sluice'))?.[1] ?? 'nothing';
    return expect(said === 'Routes are served on port 8090.', said);
  });
  await row('who listens, as ss names it', () => {
    const names = ['8090', '8091'].map((port) => {
      const line = machine.run('ss', '-Hltnp', `sport = :${port}`);
      return `${port} ${/users:\(\("([^"]+)"/.exec(line)?.[1]}`;
    });
    return expect(names.join() === '8090 sluice-gateway,8091 sluice', names.join(', '));
  });
  await row('so far the journal has no warning', () => expect(warnings() === '', warnings() || 'none'));
  await row('systemctl stop ends it cleanly', async () => {
    const seconds = await timed(() => machine.run('systemctl', 'stop', 'sluice'));
    const result = `${service.property('Result')}, status ${service.property('ExecMainStatus')}`;
    return expect(result === 'success, status 0', `${result}, after ${seconds}`);
  });
  await row('systemctl start returns when the routes answer', async () => {
    const seconds = await timed(() => machine.run('systemctl', 'start', 'sluice'));
    const [route, ready, ui] = [await service.call(), await service.ready(), await service.ui()];
    return expect(
      route === 200 && ready === 200 && ui === 200,
      `route ${route}, ready ${ready}, UI ${ui} after ${seconds}`,
    );
  });

  await row('a frozen gateway (SIGSTOP) is replaced', async () => {
    const gateway = service.pidOf('sluice-gateway');
    freeze(gateway);
    return back(await service.untilReplaced({ gateway }));
  });
  await row('a frozen host (SIGSTOP) is replaced', async () => {
    const [gateway, host] = [service.pidOf('sluice-gateway'), service.hostPid];
    freeze(host);
    return back(await service.untilReplaced({ gateway, host }));
  });
  await row('both frozen are replaced', async () => {
    const [gateway, host] = [service.pidOf('sluice-gateway'), service.hostPid];
    freeze(gateway, host);
    return back(await service.untilReplaced({ gateway, host }));
  });
  await row('restarts that systemd counts', () =>
    expect(service.property('NRestarts') === '2', service.property('NRestarts')),
  );
  await row('journalctl -p warning shows the gateway', () => {
    const line = warnings()
      .split('\n')
      .find((one) => one.includes('silent for 10 s'));
    return expect(line !== undefined, line ?? warnings());
  });
  await row('journalctl -p warning shows the host', () => {
    const line = warnings()
      .split('\n')
      .find((one) => one.includes('Watchdog timeout'));
    return expect(line !== undefined, line ?? warnings());
  });
  await row('journalctl -p warning shows nothing of level info', () => {
    const infos = warnings()
      .split('\n')
      .filter((one) => one.includes('"level":"info"')).length;
    const all = machine.run('journalctl', '--unit=sluice', '--output=cat', '--no-pager').split('\n');
    const prefixed = all.filter((one) => one.startsWith('<')).length;
    const told = `${infos} of ${warnings().split('\n').length} lines, and ${prefixed} of all ${all.length} with a prefix left`;
    return expect(infos === 0 && prefixed === 0, told);
  });

  await row('a wrong variable is not tried again', async () => {
    machine.run('mkdir', '-p', '/run/systemd/system/sluice.service.d');
    machine.run('sh', '-c', `printf '[Service]\\nEnvironment=SLUICE_GATEWAY_PORT=x\\n' >${DROP_IN}`);
    machine.run('systemctl', 'daemon-reload');
    const { code } = machine.attempt('systemctl', 'restart', 'sluice');
    await until('it has failed', () => service.property('ActiveState') === 'failed', { everyMs: 200 });
    const why = `${service.property('Result')}, status ${service.property('ExecMainStatus')}, ${service.property('NRestarts')} restarts`;
    return expect(code !== 0 && why === 'exit-code, status 64, 0 restarts', why);
  });
  await row('and journalctl -p err says why', () => {
    const said = machine.run('journalctl', '--unit=sluice', '--priority=err', '--output=cat', '--no-pager').split('\n');
    const line = said.find((one) => one.startsWith('sluice: '));
    return expect(line !== undefined, line ?? said.join(' | '));
  });
  await row('corrected, it starts', async () => {
    machine.run('rm', DROP_IN);
    machine.run('systemctl', 'daemon-reload');
    machine.run('systemctl', 'start', 'sluice');
    const status = await service.call();
    return expect(status === 200, String(status));
  });
  await row('it stops, and nothing of it is left', () => {
    machine.run('systemctl', 'stop', 'sluice');
    const left = machine.attempt('sh', '-c', 'grep -sh ^sluice /proc/[0-9]*/comm').out;
    return expect(left === '', left || service.property('Result'));
  });
}

/** In a separate network: the ports are free, and nothing leaves the machine. */
async function inside(root: string, deb: string): Promise<void> {
  const machine = await BootedRoot.boot(root);
  const halt = () => void machine.halt().then(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, halt);
  try {
    await life(machine, deb);
  } finally {
    await machine.halt();
  }
  console.table(Object.fromEntries(rows.map(({ title, ok, seen }) => [title, { ok, seen: seen.slice(0, 100) }])));
  const failed = rows.filter(({ ok }) => !ok).length;
  console.log(`${rows.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

function outside(deb: string, given: string | undefined): void {
  const root = makeSystemdRoot(given);
  // The other process gets the signal too and halts the system, so the folder can be removed.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  try {
    const command = 'ip link set lo up && exec "$0" "$@"';
    const words = [process.execPath, fileURLToPath(import.meta.url), deb, '--booted-from', root];
    const { status } = spawnSync('unshare', ['--net', '/bin/sh', '-c', command, ...words], { stdio: 'inherit' });
    process.exitCode = status ?? 1;
  } finally {
    removeSystemdRoot(root);
  }
}

const { values, positionals } = parseArgs({
  options: { root: { type: 'string' }, 'booted-from': { type: 'string' } },
  allowPositionals: true,
});
const deb = positionals[0] ?? globSync('release/sluice_*_amd64.deb').at(-1);
const missing = ['debootstrap', 'systemd-nspawn'].filter(
  (name) => !['/usr/bin', '/usr/sbin'].some((folder) => existsSync(`${folder}/${name}`)),
);
if (process.getuid?.() !== 0) fail('Run it as root: it boots a system.');
else if (missing.length > 0) fail(`It needs ${missing.join(' and ')}: apt-get install debootstrap systemd-container`);
else if (deb === undefined || !existsSync(deb))
  fail('There is no package: npm run package:service makes one in release/.');
else if (values['booted-from'] === undefined) outside(deb, values.root);
else await inside(values['booted-from'], deb);

function fail(sentence: string): void {
  console.error(sentence);
  process.exitCode = 1;
}
