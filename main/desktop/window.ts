import { app, BrowserWindow, session, type Session } from 'electron';
import type { Rectangle } from './window-place.ts';
import { WINDOW_MIN } from './window-place.ts';

/** Without `persist:` the session is in memory: nothing of it is ever on disk. */
const PARTITION = 'sluice';

export interface WindowLook {
  place: Partial<Rectangle> & Pick<Rectangle, 'width' | 'height'>;
  maximised: boolean;
  kiosk: boolean;
}

/**
 * The only window. Its pages run in Chromium's sandbox, without Node and without a preload script, and reach the host
 * only by HTTP: there is no other connection from a page to this process. (Policies: confine.ts.)
 */
export function makeWindow(uiUrl: string, { place, maximised, kiosk }: WindowLook): BrowserWindow {
  const window = new BrowserWindow({
    ...place,
    minWidth: WINDOW_MIN.width,
    minHeight: WINDOW_MIN.height,
    title: 'Sluice',
    show: false,
    kiosk,
    closable: !kiosk,
    minimizable: !kiosk,
    autoHideMenuBar: true,
    webPreferences: {
      session: windowSession(),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      safeDialogs: true,
      devTools: !app.isPackaged,
    },
  });
  if (maximised && !kiosk) window.maximize();
  window.once('ready-to-show', () => window.show());
  void window.loadURL(uiUrl).catch(() => {});
  return window;
}

/** The next user of the window must log in: the cookie is removed when its window closes. */
export async function forgetLogIn(): Promise<void> {
  await windowSession().clearStorageData();
}

function windowSession(): Session {
  return session.fromPartition(PARTITION);
}
