import { createLogger } from '#common/node/log.ts';
import type { Host, HostOptions } from '../host.ts';
import type { WantedRestore } from '../host/restore-upload.ts';
import type { Command, Context } from './command.ts';
import { refuseForeignData } from './data-owner.ts';
import { SERVE_FLAGS, serveOptions, type ServeOptions } from './options.ts';
import { launcherGone } from './launcher-gone.ts';
import { runsFromPackage } from './packaged.ts';
import { reportToSystemd, type ServiceReport } from '../systemd/report.ts';
import { stopSignal } from './stop-signals.ts';

export const serve: Command = {
  name: 'serve',
  summary: 'runs the gateway, the UI and the admin API until it is stopped',
  flags: SERVE_FLAGS,
  positionals: [],
  run: async (args, context) => {
    const options = serveOptions(args, context.environment);
    // All files created from here on, including sockets, are accessible only to this user.
    process.umask(0o077);
    if (options.demo) return runDemo(options, context);
    refuseForeignData(options.dataDir);
    return run(options, context, announce);
  },
};

/** As `serve`, on the hub of a fleet. */
export async function serveHub(
  options: ServeOptions,
  hub: NonNullable<HostOptions['hub']>,
  context: Context,
): Promise<number> {
  process.umask(0o077);
  refuseForeignData(options.dataDir);
  return run({ ...options, hub }, context, announce);
}

async function runDemo(options: ServeOptions, context: Context): Promise<number> {
  const { makeThrowAwayFolder } = await import('../demo/throw-away-folder.ts');
  const { folder, remove } = makeThrowAwayFolder();
  try {
    return await run({ ...options, dataDir: folder, secretStore: 'file' }, context, (host, with_) =>
      announceDemo(host, with_, folder),
    );
  } finally {
    remove();
  }
}

async function run(
  options: ServeOptions & Pick<HostOptions, 'hub'>,
  context: Context,
  ready: (host: Host, context: Context) => Promise<void>,
): Promise<number> {
  const stop = Promise.race([stopSignal(), launcherGone(context.environment)]);
  // The name in `ps` and `ss`; Node's own is "MainThread".
  process.title = 'sluice';
  const log = createLogger('host');
  const report = reportToSystemd(context.environment, log);
  try {
    // Loaded only now, so that a wrong flag is reported at once, without loading the whole product first.
    const [{ startHost }, { carryOut }] = await Promise.all([
      import('../host.ts'),
      import('../host/restore-upload.ts'),
    ]);
    const packaged = runsFromPackage(process.execPath);
    let hostOptions: HostOptions = { ...options, packaged, log };
    let announceReady = (host: Host): Promise<void> => ready(host, context);
    for (;;) {
      const host = await startHost(hostOptions);
      const wanted = await serveUntil({ stop, host, report, overrides: options.overrides }, () => announceReady(host));
      if (wanted === null) return 0;
      const { user } = wanted.restore;
      const isDone = await carryOut(wanted.restore, { ...options, packaged, log });
      const overrides = { ...options.overrides, ...wanted.ports };
      hostOptions = { ...options, overrides, packaged, log, ...(!isDone && { failedRestore: { user } }) };
      announceReady = async () => {};
    }
  } finally {
    report.end();
  }
}

interface Wanted {
  restore: WantedRestore;
  /** Free ports that were chosen at the start: callers and the admin UI keep their addresses. */
  ports: { gatewayPort?: number; uiPort?: number };
}

interface Served {
  stop: Promise<void>;
  host: Host;
  report: ServiceReport;
  overrides: ServeOptions['overrides'];
}

/** Null: it was stopped. */
async function serveUntil(
  { stop, host, report, overrides }: Served,
  announceReady: () => Promise<void>,
): Promise<Wanted | null> {
  const { view } = host;
  const watched = { gateway: () => view.gateway(), onChange: (listener: () => void) => view.onChange(listener) };
  let wanted: Wanted | null = null;
  try {
    await Promise.race([host.ready.then(announceReady).then(() => report.ready(watched)), stop]);
    const restore = await Promise.race([host.restoreWanted, stop]);
    if (restore) wanted = { restore, ports: chosenPorts(overrides, host) };
  } finally {
    await Promise.all([wanted === null && report.stopping(), host.stop()]);
  }
  return wanted;
}

function chosenPorts(overrides: ServeOptions['overrides'], host: Host): Wanted['ports'] {
  const { port } = host.view.gateway();
  return {
    ...(overrides.uiPort === 0 && { uiPort: Number(new URL(host.addresses().uiUrl).port) }),
    ...(overrides.gatewayPort === 0 && port !== null && { gatewayPort: port }),
  };
}

/** The one line on standard output (docs/spec/operation.md#serve). */
async function announce(host: Host, { print }: Context): Promise<void> {
  const { gatewayUrl, uiUrl, setupTokenFile } = host.addresses();
  print(
    JSON.stringify({
      event: 'ready',
      gateway: gatewayUrl,
      ui: uiUrl,
      ...(setupTokenFile !== null && { setupTokenFile }),
    }),
  );
}

async function announceDemo(host: Host, context: Context, dataDir: string): Promise<void> {
  const { prepareDemo } = await import('../demo/demo.ts');
  const text = await prepareDemo(host.addresses(), dataDir);
  await announce(host, context);
  context.print(text);
}
