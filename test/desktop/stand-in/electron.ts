/**
 * Replaces the module `electron` where its program is not available: it does what the shell asks just far enough that
 * host, gateway and shell run together in plain Node, and prints each call as one JSON line `[call, …values]`. Messages
 * from the parent are the actions of a user (`Act`). It shows nothing and protects nothing: window.test.ts checks that
 * Electron follows its instructions.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';

export type Act =
  | { act: 'menu'; label: string }
  | { act: 'answer'; button: number; saveTo: string }
  | { act: 'close' | 'quit' | 'throw' | 'reject' | 'shutdown' }
  | { act: 'second-start'; files: string[] }
  | { act: 'key'; code: string };

export const loaded = Promise.withResolvers<void>();

let button = 0;
let saveTo = '';

function tell(call: string, ...values: unknown[]): void {
  process.stdout.write(`${JSON.stringify([call, ...values])}\n`);
}

/** An object whose methods do nothing, except the given ones. */
function idle<T extends object>(given: T): T {
  return new Proxy(given, {
    get: (target, name) => (Reflect.has(target, name) ? Reflect.get(target, name) : async () => {}),
  });
}

class App extends EventEmitter {
  readonly isPackaged = false;
  enableSandbox(): void {
    tell('enableSandbox');
  }
  setPath(): void {}
  setAppUserModelId(): void {}
  requestSingleInstanceLock(): boolean {
    return true;
  }
  /** As in Electron: never before the entry has been evaluated. */
  whenReady(): Promise<void> {
    return loaded.promise;
  }
  getPath(): string {
    return '/';
  }
  getVersion(): string {
    return '1.2.3';
  }
  getLocale(): string {
    return 'en';
  }
  getPreferredSystemLanguages(): string[] {
    return ['en-GB'];
  }
  relaunch(): void {
    tell('relaunch');
  }
  exit(code: number): void {
    process.exit(code);
  }
}
export const app = new App();

const sessions = new Map<string, object>();
export const session = {
  fromPartition(name: string): object {
    const clearStorageData = async () => tell('log-in forgotten');
    const made = sessions.get(name) ?? idle({ clearStorageData, webRequest: idle({}), on: () => {} });
    if (!sessions.has(name)) app.emit('session-created', made);
    sessions.set(name, made);
    return made;
  },
};

const windows = new Set<BrowserWindow>();
const window = (): BrowserWindow | undefined => [...windows][0];
let minimised = false;
export class BrowserWindow extends EventEmitter {
  readonly webContents = Object.assign(new EventEmitter(), { setWindowOpenHandler() {}, reload() {} });
  constructor(options: { kiosk: boolean; webPreferences: object }) {
    super();
    windows.add(this);
    app.emit('web-contents-created', {}, this.webContents);
    tell('window', options.kiosk, options.webPreferences);
  }
  async loadURL(url: string): Promise<void> {
    tell('load', url);
    this.emit('ready-to-show');
  }
  show(): void {
    tell('show');
  }
  minimize(): void {
    minimised = true;
    tell('minimize');
  }
  restore(): void {
    minimised = false;
  }
  isMinimized(): boolean {
    return minimised;
  }
  isMaximized(): boolean {
    return false;
  }
  isDestroyed(): boolean {
    return !windows.has(this);
  }
  getNormalBounds(): object {
    return { x: 1, y: 2, width: 1000, height: 700 };
  }
  setKiosk(on: boolean): void {
    tell('kiosk', on);
  }
  setClosable(): void {}
  setMinimizable(): void {}
  focus(): void {}
  maximize(): void {}
  close(): void {
    let prevented = false;
    this.emit('close', { preventDefault: () => (prevented = true) });
    if (!prevented) this.destroy();
  }
  destroy(): void {
    windows.delete(this);
    tell('closed');
    this.emit('closed');
  }
}

export const dialog = {
  async showMessageBox(...values: unknown[]) {
    tell('ask', values.at(-1));
    return { response: button };
  },
  showErrorBox: (...values: unknown[]) => tell('error', ...values),
  showSaveDialog: async () => ({ canceled: saveTo === '', filePath: saveTo }),
};

interface Entry {
  label?: string;
  click?: () => void;
  submenu?: Entry[];
}
let menu: Entry[] = [];
export const Menu = {
  buildFromTemplate: (entries: Entry[]) => entries,
  setApplicationMenu(entries: Entry[] | null): void {
    if (entries !== null) menu = entries.flatMap(({ submenu = [] }) => submenu);
  },
};
export class Tray extends EventEmitter {
  setImage(): void {}
  setToolTip(text: string): void {
    tell('tooltip', text);
  }
  setContextMenu(entries: Entry[]): void {
    menu = entries;
  }
  destroy(): void {}
}
export class Notification extends EventEmitter {
  readonly #options: object;
  constructor(options: object) {
    super();
    this.#options = options;
  }
  static isSupported(): boolean {
    return true;
  }
  show(): void {
    tell('notify', this.#options);
  }
}
export const nativeImage = { createEmpty: () => ({ addRepresentation() {} }) };
export const powerMonitor = new EventEmitter();
export const powerSaveBlocker = { start: (kind: string) => (tell('awake', kind), 1), stop: () => tell('may sleep') };
export const screen = { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1040 } }] };
export const shell = { openPath: async (path: string) => (tell('open', path), ''), openExternal: async () => {} };
export const utilityProcess = {
  fork(entry: string, words: string[], { env }: { env: NodeJS.ProcessEnv }): ChildProcess {
    const child = fork(entry, words, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    return Object.assign(child, { postMessage: (message: object) => child.send(message, () => {}) });
  },
};

function throwUnforeseen(): never {
  throw new Error('something unforeseen');
}

/**
 * Electron's own handler for the system's request to end, which replaces every earlier one just before it is ready; a
 * later one replaces it.
 */
export function answerSignals(): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.removeAllListeners(signal);
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) app.emit('before-quit', { preventDefault() {} });
    });
  }
}

const keys = { type: 'keyDown', key: '', control: true, alt: true, shift: true, meta: false };
process.on('message', (act: Act) => {
  if (act.act === 'answer') ({ button, saveTo } = act);
  if (act.act === 'menu') menu.find(({ label }) => label?.startsWith(act.label))?.click?.();
  if (act.act === 'close') window()?.close();
  if (act.act === 'quit') app.emit('before-quit', { preventDefault() {} });
  if (act.act === 'throw') setImmediate(() => throwUnforeseen());
  if (act.act === 'reject') void Promise.reject(new Error('a promise that nobody holds'));
  if (act.act === 'shutdown') powerMonitor.emit('shutdown', { preventDefault: () => tell('shutdown waits') });
  if (act.act === 'second-start') app.emit('second-instance', {}, [], '/', { files: act.files });
  if (act.act === 'key')
    window()?.webContents.emit('before-input-event', { preventDefault() {} }, { ...keys, code: act.code });
});
