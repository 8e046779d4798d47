import { fileURLToPath } from 'node:url';
import { app, dialog, Menu, type BrowserWindow } from 'electron';
import { createLogger } from '#common/node/log.ts';
import { readArguments } from '../cli/arguments.ts';
import { SERVE_FLAGS, serveOptions, type ServeOptions } from '../cli/options.ts';
import { stopSignal } from '../cli/stop-signals.ts';
import { makeThrowAwayFolder, prepareDemo } from '../demo/demo.ts';
import { startHost, type Host } from '../host.ts';
import { confinePages } from './confine.ts';
import { utilityGateway } from './utility-gateway.ts';
import { openWindow } from './window.ts';

/**
 * Opens the host and its window.
 *
 * States: starting (host, then window) → open → stopping (host) → gone. Closing the window ends the appliance: who
 * wants it to run without a window installs the service.
 * Limits: one instance a user, one window.
 * Security: every decision is a plain function in this folder (navigation, permissions, the door out); the window
 * gets nothing of Node and talks to the host by HTTP with a log-in, as any browser does.
 * Known weakness: whoever runs as this user may read the window's memory, as with any browser.
 */
export async function runDesktop(): Promise<void> {
  if (!app.requestSingleInstanceLock()) return app.quit();
  app.enableSandbox();
  let window: BrowserWindow | null = null;
  // Until the host says where the UI is, no page has anywhere to go.
  let uiOrigin = 'http://0.0.0.0';
  app.on('second-instance', () => focus(window));
  // Without a listener Electron would quit by itself, before the host has closed its files.
  app.on('window-all-closed', () => {});
  confinePages(
    () => uiOrigin,
    () => window,
  );
  await app.whenReady();
  if (process.platform !== 'darwin') Menu.setApplicationMenu(null);
  const code = await serveWindow((uiUrl) => {
    uiOrigin = new URL(uiUrl).origin;
    window = openWindow(uiUrl);
    window.once('closed', () => (window = null));
    return window;
  }).catch(explain);
  app.exit(code);
}

/** One plain sentence, then the end: a window that cannot open has nowhere else to say it. */
function explain(error: unknown): number {
  const sentence = error instanceof Error ? error.message : String(error);
  process.stderr.write(`sluice: ${sentence}\n`);
  dialog.showErrorBox('Sluice did not start', sentence);
  return 1;
}

function focus(window: BrowserWindow | null): void {
  if (window === null) return;
  if (window.isMinimized()) window.restore();
  window.focus();
}

const GATEWAY_ENTRY = fileURLToPath(new URL('../../gateway/entry.ts', import.meta.url));

type Open = (uiUrl: string) => BrowserWindow;

async function serveWindow(open: Open): Promise<number> {
  const words = process.argv.slice(app.isPackaged ? 1 : 2);
  const options = serveOptions(readArguments('serve', words, SERVE_FLAGS, []), process.env);
  process.umask(0o077);
  if (!options.demo) return run(options, open);
  const { folder, remove } = makeThrowAwayFolder();
  try {
    return await run({ ...options, dataDir: folder, secretStore: 'file' }, open);
  } finally {
    remove();
  }
}

async function run(options: ServeOptions, open: Open): Promise<number> {
  const stop = Promise.race([stopSignal(), quitAsked()]);
  const host = await startHost({
    ...options,
    packaged: app.isPackaged,
    startGateway: utilityGateway(GATEWAY_ENTRY),
    log: createLogger('host'),
  });
  try {
    await Promise.race([host.ready.then(() => show(host, options, open)), stop]);
    await stop;
  } finally {
    await host.stop();
  }
  return 0;
}

async function show(host: Host, options: ServeOptions, open: Open): Promise<void> {
  const { uiUrl } = host.addresses();
  if (options.demo) process.stdout.write(`${await prepareDemo(host.addresses())}\n`);
  open(uiUrl).once('closed', () => app.quit());
}

/** Resolves when the person or the system asks to quit; the quitting itself waits for the host. */
function quitAsked(): Promise<void> {
  return new Promise((resolve) => {
    app.on('before-quit', (event) => {
      event.preventDefault();
      resolve();
    });
  });
}
