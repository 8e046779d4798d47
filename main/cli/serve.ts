import { createLogger } from '#common/node/log.ts';
import type { Host } from '../host.ts';
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
  options: ServeOptions,
  context: Context,
  ready: (host: Host, context: Context) => Promise<void>,
): Promise<number> {
  const stop = Promise.race([stopSignal(), launcherGone(context.environment)]);
  // The name in `ps` and `ss`; Node's own is "MainThread".
  process.title = 'sluice';
  const log = createLogger('host');
  const report = reportToSystemd(context.environment, log);
  try {
    // Loaded only now, so that a wrong flag is reported immediately, without loading the whole product first.
    const { startHost } = await import('../host.ts');
    const packaged = runsFromPackage(process.execPath);
    const host = await startHost({ ...options, packaged, log });
    await serveUntil(stop, host, report, () => ready(host, context));
  } finally {
    report.end();
  }
  return 0;
}

async function serveUntil(
  stop: Promise<void>,
  host: Host,
  report: ServiceReport,
  announceReady: () => Promise<void>,
): Promise<void> {
  const { view } = host;
  const watched = { gateway: () => view.gateway(), onChange: (listener: () => void) => view.onChange(listener) };
  try {
    await Promise.race([host.ready.then(announceReady).then(() => report.ready(watched)), stop]);
    await stop;
  } finally {
    await Promise.all([report.stopping(), host.stop()]);
  }
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
