import { app, BrowserWindow, session } from 'electron';
import { confineSession } from './confine.ts';

/** A session in memory: cookies are gone with the window, so closing it logs out. */
const PARTITION = 'sluice';

/** The one window. Its pages run in Chromium's sandbox, without Node, and reach the host by HTTP alone. */
export function openWindow(uiUrl: string): BrowserWindow {
  const own = session.fromPartition(PARTITION);
  confineSession(own, () => new URL(uiUrl).origin);
  const window = new BrowserWindow({
    width: 1280,
    height: 800,
    minWidth: 800,
    minHeight: 600,
    title: 'Sluice',
    show: false,
    autoHideMenuBar: true,
    webPreferences: {
      session: own,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      devTools: !app.isPackaged,
    },
  });
  window.once('ready-to-show', () => window.show());
  void window.loadURL(uiUrl);
  return window;
}
