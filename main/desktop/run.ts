import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { app, Menu, powerMonitor } from 'electron';
import { createLogger } from '#common/node/log.ts';
import { makePrivateFolder } from '#common/node/private-files.ts';
import type { ServeOptions } from '../cli/options.ts';
import { stopSignal } from '../cli/stop-signals.ts';
import { prepareDemo } from '../demo/demo.ts';
import { makeThrowAwayFolder } from '../demo/throw-away-folder.ts';
import { startHost, type Host } from '../host.ts';
import { carryOut, type WantedRestore } from '../host/restore-upload.ts';
import { startAgain } from './autostart.ts';
import { confineEverything } from './confine.ts';
import { createStateKeeper, readDesktopState, STATE_FILE, type StateKeeper } from './desktop-state.ts';
import { explain, logOf, type Output, restart } from './failures.ts';
import { readLaunch, wordsOf, type Launch } from './launch.ts';
import { openLogFiles } from './log-files.ts';
import { projectFilesOpened, type FileDoor } from './opened-files.ts';
import { Shell } from './shell.ts';
import { hasTray } from './tray-host.ts';
import { utilityGateway } from './utility-gateway.ts';
import { type Words, wordsFor } from './words.ts';

/**
 * Opens the host and its window.
 *
 * States: starting (host, then window) → serving, with or without a window → stopping (host) → ended. Closing the
 * window changes nothing for callers; *Quit* asks first; a signal and the end of the system's session do not. Limits:
 * one instance for a data folder, one window.
 * Security: every decision is a plain function in this folder (navigation, permissions, downloads, keys, opening of
 * outside links); the window has no access to Node and uses the host by HTTP with a log-in, like any browser. Known
 * weakness: programs of this user can read the window's memory, as with any browser.
 */
const ENTRY = fileURLToPath(new URL('../desktop.ts', import.meta.url));
const GATEWAY_ENTRY = fileURLToPath(new URL('../../gateway/entry.ts', import.meta.url));
/** The program's name for Windows, which shows no notifications without it: the same as in electron-builder.yml. */
const APP_ID = 'io.sluice.appliance';

/** Steps that must precede Electron's `ready` are done before this returns; the rest follows automatically. */
export function runDesktop(): void {
  const opened = projectFilesOpened();
  const output: Output = { write: (line) => void process.stderr.write(line) };
  // Closing a terminal closes its two streams, and must have no other effect.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  process.once('uncaughtException', (error) => restart(error, output));
  // Electron reports such errors only on standard error, which a window does not have, and continues.
  process.on('unhandledRejection', (error) => logOf(output).error('unexpected error', { error }));
  serveLaunch(opened, output).then(
    (code) => app.exit(code),
    (error: unknown) => app.exit(explain(error)),
  );
}

async function serveLaunch(opened: FileDoor, output: Output): Promise<number> {
  const launch = readLaunch(wordsOf(process.argv, app.isPackaged, ENTRY), process.env, process.cwd());
  process.umask(0o077);
  if (!launch.options.demo) return claimInstance(launch, launch.options, opened, output);
  const { folder, remove } = makeThrowAwayFolder();
  try {
    return await claimInstance(launch, { ...launch.options, dataDir: folder, secretStore: 'file' }, opened, output);
  } finally {
    remove();
  }
}

/** Chromium's own files are kept in the data folder, including the one by which a second start detects the first. */
async function claimInstance(launch: Launch, options: ServeOptions, opened: FileDoor, output: Output): Promise<number> {
  const folder = join(options.dataDir, 'desktop');
  makePrivateFolder(folder);
  app.setPath('userData', join(folder, 'browser'));
  if (!app.requestSingleInstanceLock({ files: launch.files })) return 0;
  app.setAppUserModelId(APP_ID);
  app.enableSandbox();
  // Without a listener Electron would quit when the window is closed.
  app.on('window-all-closed', () => {});
  for (const file of launch.files) opened.add(file);
  const logs = openLogFiles(join(folder, 'logs'));
  output.write = (line) => {
    process.stderr.write(line);
    logs.write(line);
  };
  try {
    return await serve({ launch, options, folder, output, opened });
  } catch (error) {
    // The box that reports the crash.
    createLogger('desktop', (line) => logs.write(line)).error('Sluice did not start', { error });
    throw error;
  } finally {
    logs.close();
  }
}

interface Parts {
  launch: Launch;
  options: ServeOptions;
  folder: string;
  output: Output;
  opened: FileDoor;
}

async function serve({ launch, options, folder, output, opened }: Parts): Promise<number> {
  const stop = Promise.withResolvers<void>();
  let shell: Shell | null = null;
  let keeper: StateKeeper | null = null;
  // Until the address of the UI is known, pages have no allowed destination.
  let uiOrigin = 'http://0.0.0.0';
  confineEverything({
    uiOrigin: () => uiOrigin,
    kiosk: () => keeper?.current.kiosk ?? false,
    window: () => shell?.window ?? null,
    words: shellWords,
    notOpened: (error) => logOf(output).warn('the page was not opened in the browser', { error }),
  });
  listenForQuit(stop.resolve, () => shell);
  app.on('activate', () => shell?.open());
  await app.whenReady();
  // Not earlier: while it starts, Electron replaces our SIGTERM handler with its own, which asks the user.
  void stopSignal().then(stop.resolve);
  // The default menu has a page inspector and a reload.
  Menu.setApplicationMenu(null);
  // Delayed until calls in progress are finished. (Electron's types lack the event.)
  powerMonitor.on('shutdown', (event?: Electron.Event) => {
    event?.preventDefault();
    stop.resolve();
  });

  const { write } = output;
  const log = createLogger('host', write);
  const stateFile = join(folder, STATE_FILE);
  const kept = (keeper = createStateKeeper(stateFile, await readDesktopState(stateFile, log)));
  const host = await startHost({
    ...options,
    packaged: app.isPackaged,
    startGateway: utilityGateway(GATEWAY_ENTRY, write),
    log,
    desktop: {
      kiosk: () => kept.current.kiosk,
      async setKiosk(on) {
        // Shown even if it cannot be saved: on a full disk, too, users must be able to leave it.
        await kept.change({ kiosk: on }).finally(() => shell?.applyKiosk());
      },
    },
  });
  let wanted: WantedRestore | null = null;
  try {
    const stopped = stop.promise.then(() => true);
    if ((await Promise.race([host.ready, stopped])) === true) return 0;
    const { uiUrl, setupTokenFile } = host.addresses();
    uiOrigin = new URL(uiUrl).origin;
    shell = new Shell({
      view: host.view,
      uiUrl,
      setupTokenFile,
      dataDir: options.dataDir,
      logFolder: join(folder, 'logs'),
      keeper: kept,
      words: await shellWords(),
      log: createLogger('desktop', write),
      hasTray: await hasTray(process.platform),
      quit: stop.resolve,
    });
    await open(shell, host, { launch, options, opened, kiosk: kept.current.kiosk });
    wanted = await Promise.race([stop.promise.then(() => null), host.restoreWanted]);
  } finally {
    shell?.end();
    await host.stop();
  }
  if (wanted !== null) {
    await carryOut(wanted, { ...options, packaged: app.isPackaged, log });
    app.relaunch(startAgain(process.env, process.execPath, process.argv.slice(1)));
  }
  return 0;
}

/** Usable once Electron is ready. */
const shellWords = (): Promise<Words> => wordsFor(app.getPreferredSystemLanguages()[0] ?? app.getLocale());

interface Opening extends Pick<Parts, 'launch' | 'options' | 'opened'> {
  kiosk: boolean;
}

async function open(shell: Shell, host: Host, { launch, options, opened, kiosk }: Opening): Promise<void> {
  if (options.demo) process.stdout.write(`${await prepareDemo(host.addresses(), options.dataDir)}\n`);
  await shell.begin();
  if (kiosk || !launch.background) shell.open();
  opened.follow((file) => void (file === null ? shell.open() : shell.openFile(file)));
}

/** When the user quits, Sluice asks for confirmation; when the system ends it, it does not. */
function listenForQuit(stop: () => void, shell: () => Shell | null): void {
  app.on('before-quit', (event) => {
    event.preventDefault();
    const asked = shell();
    // Nothing is served yet, so no question is needed.
    if (asked === null) stop();
    else void asked.askToQuit();
  });
  app.on('browser-window-created', (_event, window) => {
    // Windows reports its shutdown through the window.
    window.on('session-end', stop);
  });
}
