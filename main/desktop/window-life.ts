import { dialog, type BrowserWindow } from 'electron';
import type { Logger } from '#common/node/log.ts';
import type { StateKeeper } from './desktop-state.ts';
import { kioskKey } from './kiosk-keys.ts';
import { boxOf } from './dialogs.ts';
import { createReloadLimit } from './reload-limit.ts';
import type { Words } from './words.ts';

/** Events of an open window, and their effects. */
export interface WindowFollower {
  keeper: StateKeeper;
  words: Words;
  log: Logger;
  /** True: closing ends the window, and the tray opens it again. False: it is minimised instead. */
  mayClose(): boolean;
  /** A user pressed the shortcut that leaves full screen. */
  onWayOut(): void;
  /** The window was minimised instead of closed. */
  onKept(): void;
  /** A page that crashed repeatedly; the user wants the diagnostics. */
  onDiagnostics(): void;
}

const SAVE_AFTER_MS = 500;
const ABORTED = -3;

export function followWindow(window: BrowserWindow, follower: WindowFollower): void {
  keepPlace(window, follower);
  mindClosing(window, follower);
  mindKeys(window, follower);
  recoverPage(window, follower);
  mindUnload(window, follower.words);
}

/** Bounds and maximised state, once the user has released the window. */
function keepPlace(window: BrowserWindow, { keeper, log }: WindowFollower): void {
  let timer: NodeJS.Timeout | undefined;
  const save = (): void => {
    clearTimeout(timer);
    if (window.isDestroyed() || keeper.current.kiosk || window.isMinimized()) return;
    const place = { bounds: window.getNormalBounds(), maximised: window.isMaximized() };
    keeper
      .change(place)
      .catch((error: unknown) => log.warn('the position of the window could not be saved', { error }));
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(save, SAVE_AFTER_MS);
  };
  for (const event of ['resize', 'move', 'maximize', 'unmaximize'] as const) window.on(event as 'resize', soon);
  window.on('close', save);
  window.once('closed', () => clearTimeout(timer));
}

function mindClosing(window: BrowserWindow, { keeper, mayClose, onKept }: WindowFollower): void {
  window.on('close', (event) => {
    if (keeper.current.kiosk) return event.preventDefault();
    if (mayClose()) return;
    event.preventDefault();
    window.minimize();
    onKept();
  });
}

function mindKeys(window: BrowserWindow, { keeper, onWayOut }: WindowFollower): void {
  window.webContents.on('before-input-event', (event, input) => {
    if (!keeper.current.kiosk) return;
    const verdict = kioskKey(input);
    if (verdict !== 'pass') event.preventDefault();
    if (verdict === 'way-out') onWayOut();
  });
}

/** A page that has ended is loaded again, a few times; for one that hangs, the user decides. */
function recoverPage(window: BrowserWindow, follower: WindowFollower): void {
  const { log } = follower;
  const mayReload = createReloadLimit(() => performance.now());
  const recover = (): void => {
    if (window.isDestroyed()) return;
    if (mayReload()) window.webContents.reload();
    else void askAfterCrashes(window, follower);
  };
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit') return;
    log.error('the page has ended', { reason, exitCode });
    recover();
  });
  window.webContents.on('did-fail-load', (_event, code, description, _url, isMainFrame) => {
    if (!isMainFrame || code === ABORTED) return;
    log.error('the page could not be loaded', { code, description });
    recover();
  });
  offerReload(window, follower);
}

function offerReload(window: BrowserWindow, { words, log }: WindowFollower): void {
  let asked: AbortController | null = null;
  window.on('unresponsive', () => {
    if (asked !== null) return;
    const question = (asked = new AbortController());
    log.warn('the page does not answer');
    void ask(window, [words.hung, words.hungDetail, words.wait, words.reload], question.signal).then((choice) => {
      asked = null;
      if (choice !== 1 || window.isDestroyed()) return;
      // A hung page ignores a reload request. Its end is detected above, and it is loaded again.
      window.webContents.forcefullyCrashRenderer();
    });
  });
  window.on('responsive', () => asked?.abort());
}

async function askAfterCrashes(window: BrowserWindow, { words, keeper, onDiagnostics }: WindowFollower): Promise<void> {
  // In full screen, only an Administrator may access files or the desktop behind the window.
  const others = keeper.current.kiosk ? [] : [words.diagnostics, words.closeWindow];
  const choice = await ask(window, [words.crashed, words.crashedDetail, words.reload, ...others]);
  if (window.isDestroyed()) return;
  if (choice === 0) window.webContents.reload();
  if (choice === 1) onDiagnostics();
  if (choice === 2) window.destroy();
}

/**
 * Electron shows no dialog where a browser does: a page with unsaved changes could not be closed, without a visible
 * reason.
 */
function mindUnload(window: BrowserWindow, words: Words): void {
  window.webContents.on('will-prevent-unload', (event) => {
    const { leave: message, leaveDetail: detail, keepEditing, leaveNow } = words;
    const box = boxOf('question', { message, detail, buttons: [keepEditing, leaveNow] });
    const choice = dialog.showMessageBoxSync(window, box);
    // Here, the prevented event is the one that keeps the page open.
    if (choice === 1) event.preventDefault();
  });
}

type Asked = [message: string, detail: string, ...buttons: string[]];

/** The index of the button; the first one is the safe one. */
async function ask(window: BrowserWindow, [message, detail, ...buttons]: Asked, signal?: AbortSignal): Promise<number> {
  const box = boxOf('warning', { message, detail, buttons });
  const { response } = await dialog.showMessageBox(window, { ...box, ...(signal && { signal }) });
  return response;
}
