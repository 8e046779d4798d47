import { app, shell, type BrowserWindow, type Session, type WebContents } from 'electron';
import { askPerson } from './dialogs.ts';
import { mayDownload } from './download-policy.ts';
import { mayNavigate, mayRequest } from './navigation-policy.ts';
import { oneAtATime, openExternal, type OutsideDoor } from './open-external.ts';
import { mayUse } from './permission-policy.ts';
import type { Words } from './words.ts';

/** State of the shell that the policies read, because it changes while pages are open. */
export interface Confines {
  uiOrigin(): string;
  kiosk(): boolean;
  window(): BrowserWindow | null;
  words(): Promise<Words>;
  /** A page could not be opened in the browser. */
  notOpened(error: unknown): void;
}

/** Chromium's result for "this certificate is refused". */
const REFUSE_CERTIFICATE = -2;

/** Applies the policies to all pages and sessions, before the first one is created. */
export function confineEverything(confines: Confines): void {
  const door = outsideDoor(confines);
  app.on('web-contents-created', (_event, contents) => confinePage(contents, confines, door));
  app.on('session-created', (session) => confineSession(session, confines));
  // The UI is served by plain HTTP from this PC: a request for a certificate or a password cannot come from it.
  app.on('certificate-error', (event, _contents, _url, _error, _certificate, answer) => {
    event.preventDefault();
    answer(false);
  });
  app.on('select-client-certificate', (event, _contents, _url, _list, answer) => {
    event.preventDefault();
    answer();
  });
  app.on('login', (event, _contents, _details, _info, answer) => {
    event.preventDefault();
    answer();
  });
}

function confinePage(contents: WebContents, confines: Confines, door: OutsideDoor): void {
  const check = (event: Electron.Event, target: string) => {
    if (!mayNavigate(target, confines.uiOrigin())) event.preventDefault();
  };
  contents.on('will-navigate', (details) => check(details, details.url));
  contents.on('will-redirect', (details) => check(details, details.url));
  contents.on('will-frame-navigate', (details) => check(details, details.url));
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    // A browser beside the full screen of a panel would allow users to leave it.
    if (!confines.kiosk()) openExternal(url, door).catch((error: unknown) => confines.notOpened(error));
    return { action: 'deny' };
  });
}

/** Permissions, devices, requests, certificates and downloads of a session. */
function confineSession(session: Session, { uiOrigin, kiosk }: Confines): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(mayUse(permission)));
  session.setPermissionCheckHandler((_contents, permission) => mayUse(permission));
  session.setDevicePermissionHandler(() => false);
  session.setSpellCheckerEnabled(false);
  session.setCertificateVerifyProc((_request, answer) => answer(REFUSE_CERTIFICATE));
  // Nothing that the window loads may be forwarded by others.
  void session.setProxy({ mode: 'direct' });
  session.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !mayRequest(details.url, uiOrigin()) }));
  session.on('will-download', (event, item) => {
    // The user chooses the place each time: without a path, Electron asks.
    if (mayDownload(item.getURL(), uiOrigin(), kiosk())) item.setSaveDialogOptions({ defaultPath: item.getFilename() });
    else event.preventDefault();
  });
}

function outsideDoor({ window, words }: Confines): OutsideDoor {
  return oneAtATime({
    confirm: async (address) => {
      const parent = window();
      if (parent === null) return false;
      const { outside, stayHere, openPage } = await words();
      return askPerson(parent, { message: outside, detail: address, buttons: [stayHere, openPage] });
    },
    open: (address) => shell.openExternal(address),
  });
}
