import { app, dialog, shell, type BrowserWindow, type Session, type WebContents } from 'electron';
import { mayNavigate, mayRequest } from './navigation-policy.ts';
import { openExternal, type OutsideDoor } from './open-external.ts';
import { mayUse } from './permission-policy.ts';

/** Puts the policies on every page that there will ever be, before the first is made. */
export function confinePages(uiOrigin: () => string, window: () => BrowserWindow | null): void {
  app.on('web-contents-created', (_event, contents) => confine(contents, uiOrigin, outsideDoor(window)));
}

function confine(contents: WebContents, uiOrigin: () => string, door: OutsideDoor): void {
  const check = (event: Electron.Event, target: string) => {
    if (!mayNavigate(target, uiOrigin())) event.preventDefault();
  };
  contents.on('will-navigate', (details) => check(details, details.url));
  contents.on('will-redirect', (details) => check(details, details.url));
  contents.on('will-frame-navigate', (details) => check(details, details.url));
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    void openExternal(url, door);
    return { action: 'deny' };
  });
}

/** Permissions, devices and requests of the window's session. */
export function confineSession(session: Session, uiOrigin: () => string): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(mayUse(permission)));
  session.setPermissionCheckHandler((_contents, permission) => mayUse(permission));
  session.setDevicePermissionHandler(() => false);
  session.setSpellCheckerEnabled(false);
  session.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !mayRequest(details.url, uiOrigin()) }));
}

function outsideDoor(window: () => BrowserWindow | null): OutsideDoor {
  return {
    confirm: async (address) => {
      const parent = window();
      if (parent === null) return false;
      const { response } = await dialog.showMessageBox(parent, {
        type: 'question',
        message: 'Open this page in the browser?',
        detail: address,
        buttons: ['Stay here', 'Open page'],
        defaultId: 0,
        cancelId: 0,
      });
      return response === 1;
    },
    open: (address) => shell.openExternal(address),
  };
}
