import { screen, shell as system, type BrowserWindow } from 'electron';
import type { Logger } from '#common/node/log.ts';
import type { ShellState, ShellView } from '../host/shell-view.ts';
import { createAlarmNews } from './alarm-news.ts';
import { setAppMenu } from './app-menu.ts';
import { askToQuit } from './ask-to-quit.ts';
import type { StateKeeper } from './desktop-state.ts';
import { askPerson, notifyPerson } from './dialogs.ts';
import { watchHost } from './host-watch.ts';
import { createKeepAwake } from './keep-awake.ts';
import { startsWithPc, startWithPc } from './login-item.ts';
import { saveDiagnostics } from './save-diagnostics.ts';
import { openTray, type TrayShown } from './tray.ts';
import { trayMenu, type MenuAct } from './tray-menu.ts';
import { trayState } from './tray-state.ts';
import { followWindow } from './window-life.ts';
import { forgetLogIn, makeWindow } from './window.ts';
import { setupFragment } from './setup-fragment.ts';
import { placeWindow } from './window-place.ts';
import type { Words } from './words.ts';

/**
 * The window and the tray of a running host.
 *
 * States of the window: none ↔ open; the host serves in both. Full screen (kiosk): open, and neither window nor tray
 * closes, quits or shows a file. It is left through the admin API, which requires `access_settings`. Limits: one
 * window, one question about quitting at a time. Security: shows names and figures without a log-in to the user at the
 * PC as whom Sluice runs, and lets that user end it; everything else needs a log-in in the window.
 */
export interface ShellParts {
  view: ShellView;
  uiUrl: string;
  /** Null: Sluice has been set up. */
  setupTokenFile: string | null;
  dataDir: string;
  logFolder: string;
  keeper: StateKeeper;
  words: Words;
  log: Logger;
  /** The desktop shows tray icons (tray-host.ts). */
  hasTray: boolean;
  /** The user wants to quit. */
  quit(): void;
}

/** The page on which an Administrator ends the full screen. */
const WAY_OUT_PAGE = '/help';

export class Shell {
  readonly #parts: ShellParts;
  readonly #tray: TrayShown | null;
  #window: BrowserWindow | null = null;
  #state: ShellState | null = null;
  #autostart: boolean | null = null;
  #asking = false;
  /** The current text of tray and menu. */
  #said = '';
  #ending = false;
  #stopWatching = (): void => {};

  constructor(parts: ShellParts) {
    this.#parts = parts;
    this.#tray = parts.hasTray ? openTray((act) => this.#perform(act)) : null;
  }

  get window(): BrowserWindow | null {
    return this.#window;
  }

  /** Starts to watch the host; everything here ends with `end`. */
  async begin(): Promise<void> {
    const { view, words } = this.#parts;
    this.#autostart = await startsWithPc();
    this.#stopWatching = watchHost({
      view,
      news: createAlarmNews(words),
      now: Date.now,
      effects: {
        show: (state) => this.#show(state),
        notify: (news) => notifyPerson(news, () => this.open()),
        keepAwake: createKeepAwake(),
      },
    });
  }

  end(): void {
    this.#ending = true;
    this.#stopWatching();
    this.#tray?.remove();
    this.#window?.destroy();
  }

  /** Opens the window, or brings it to the front. */
  open(page = ''): void {
    const { uiUrl, setupTokenFile, keeper } = this.#parts;
    if (this.#window !== null) return this.#front(this.#window, page);
    const { bounds, maximised, kiosk } = keeper.current;
    const place = placeWindow(
      bounds,
      screen.getAllDisplays().map(({ workArea }) => workArea),
    );
    const window = makeWindow(uiUrl + page + (page === '' ? setupFragment(setupTokenFile) : ''), {
      place,
      maximised,
      kiosk,
    });
    this.#window = window;
    this.#follow(window);
    window.once('closed', () => {
      this.#window = null;
      forgetLogIn().catch((error: unknown) => this.#parts.log.error('the log-in could not be forgotten', { error }));
      if (!this.#ending) this.#notifyStillServing(this.#parts.words.stillServingTray);
    });
  }

  /** A project file that was opened with Sluice: the page that imports it, and the file. */
  async openFile(file: string): Promise<void> {
    const { words, keeper } = this.#parts;
    this.open();
    if (keeper.current.kiosk) return;
    const question = { message: words.projectFile, detail: words.projectFileDetail(file) };
    const yes = await askPerson(this.#window, { ...question, buttons: [words.notNow, words.openProjects] });
    if (yes) this.open('/projects');
  }

  /** According to the saved state. */
  applyKiosk(): void {
    const { kiosk } = this.#parts.keeper.current;
    if (kiosk) this.open();
    this.#window?.setKiosk(kiosk);
    this.#window?.setClosable(!kiosk);
    this.#window?.setMinimizable(!kiosk);
    this.#render();
  }

  /** Asks, and names the callers; a second request while the question is open counts as the same one. */
  async askToQuit(): Promise<void> {
    const { keeper, quit } = this.#parts;
    if (this.#asking || this.#ending || keeper.current.kiosk) return;
    this.#asking = true;
    try {
      if (await askToQuit(this.#window, this.#parts)) quit();
    } finally {
      this.#asking = false;
    }
  }

  #front(window: BrowserWindow, page: string): void {
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    if (page !== '') void window.loadURL(this.#parts.uiUrl + page).catch(() => {});
  }

  #follow(window: BrowserWindow): void {
    const { keeper, words, log } = this.#parts;
    followWindow(window, {
      keeper,
      words,
      log,
      mayClose: () => this.#tray !== null || process.platform === 'darwin',
      onWayOut: () => this.open(WAY_OUT_PAGE),
      onKept: () => this.#notifyStillServing(words.stillServingTask),
      onDiagnostics: () => void this.#saveDiagnostics(),
    });
    this.#render();
  }

  #show(state: ShellState): void {
    const before = this.#state?.gateway.state;
    this.#state = state;
    if (state.gateway.state !== before)
      this.#parts.log.info('tray', { gateway: state.gateway.state, routes: state.routesAnswering });
    this.#render();
  }

  /** The menu of the tray, and of the window if there is no tray to quit from. */
  #render(): void {
    const { words, keeper } = this.#parts;
    const state = trayState(this.#state, words);
    const { kiosk } = keeper.current;
    const entries = trayMenu(state, { kiosk, autostart: this.#autostart }, words);
    const saying = JSON.stringify([state, entries]);
    // An open menu closes when another one is set.
    if (saying === this.#said) return;
    this.#said = saying;
    this.#tray?.show(state, entries);
    setAppMenu(entries, { kiosk, hasTray: this.#tray !== null }, (act) => this.#perform(act));
  }

  #perform(act: MenuAct): void {
    this.#act(act).catch((error: unknown) => this.#parts.log.error('an action of the menu failed', { act, error }));
  }

  async #act(act: MenuAct): Promise<void> {
    const { logFolder, keeper } = this.#parts;
    if (act === 'open') return this.open();
    // The menu shows it too; a menu that was open when the full screen began still has it.
    if (keeper.current.kiosk) return;
    // The system has already changed the checkmark, whatever the result is.
    this.#said = '';
    switch (act) {
      case 'logs':
        return void (await system.openPath(logFolder));
      case 'diagnostics':
        return this.#saveDiagnostics();
      case 'autostart':
        await startWithPc(this.#autostart === false);
        this.#autostart = await startsWithPc();
        return this.#render();
      case 'kiosk':
        return this.#askForKiosk();
      case 'quit':
        return this.askToQuit();
      default:
        return act satisfies never;
    }
  }

  async #askForKiosk(): Promise<void> {
    const { words, keeper } = this.#parts;
    const question = { message: words.kioskQuestion, detail: words.kioskDetail };
    const yes = await askPerson(this.#window, { ...question, buttons: [words.kioskStay, words.kioskGo] });
    if (yes) await keeper.change({ kiosk: true }).finally(() => this.applyKiosk());
    else this.#render();
  }

  #saveDiagnostics(): Promise<void> {
    return saveDiagnostics(this.#window, this.#parts);
  }

  /** Once per data folder: from then on it is known. */
  #notifyStillServing(text: string): void {
    const { keeper, words, log } = this.#parts;
    if (keeper.current.toldStillServing) return;
    notifyPerson({ title: words.stillServing, body: text }, () => this.open());
    keeper
      .change({ toldStillServing: true })
      .catch((error: unknown) => log.warn('the state could not be saved', { error }));
  }
}
