import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN } from '#test/service.ts';
import { type DesktopApp, noDesktop, startDesktop } from './desktop-app.ts';

/**
 * The desktop in Electron itself: one story, each test begins where the previous one ended. Decisions of the shell are
 * tested beside its code, without Electron; this checks that Electron follows them.
 */
const WAIT = { timeout: 30_000, interval: 200 };

describe.skipIf(noDesktop !== null)(`the desktop${noDesktop === null ? '' : ` (skipped: ${noDesktop})`}`, () => {
  let app: DesktopApp;
  beforeAll(async () => {
    app = await startDesktop();
  });
  afterAll(() => app?.stop());

  /** Questions are answered by number, and recorded. */
  const answer = (number: number) =>
    app.electron.evaluate(({ dialog }, response) => {
      const asked: unknown[] = [];
      Object.assign(globalThis, { asked });
      dialog.showMessageBox = async (...args: unknown[]) => {
        asked.push(args.at(-1));
        return { response, checkboxChecked: false };
      };
    }, number);
  const asked = () => app.electron.evaluate(() => (globalThis as { asked?: { detail: string }[] }).asked ?? []);
  const ofWindow = <T>(read: 'isKiosk' | 'isMinimized' | 'isVisible') =>
    app.electron.evaluate(({ BrowserWindow }, name) => BrowserWindow.getAllWindows()[0]?.[name](), read) as Promise<T>;

  test('opens one window with the log-in page and nobody logged in', async () => {
    expect(app.electron.windows()).toHaveLength(1);
    await app.page.reload();
    await app.page.getByRole('button', { name: 'Log in' }).waitFor();
  });

  test('has the page in the sandbox, without Node, a preload or access to this process', async () => {
    const powers = await app.page.evaluate(() =>
      ['require', 'process', 'module', 'Buffer', 'electron', 'ipcRenderer'].filter((name) => name in globalThis),
    );
    expect(powers).toEqual([]);
  });

  test('accepts a log-in', async () => {
    await app.page.getByLabel('Name').fill(ADMIN.name);
    await app.page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await app.page.getByRole('button', { name: 'Log in' }).click();
    await app.page.getByRole('navigation', { name: 'Main' }).waitFor();
  });

  test('never navigates the window elsewhere or opens another', async () => {
    await answer(0);
    await app.page.evaluate(() => {
      window.open('https://example.org/manual');
      location.href = 'https://example.org/';
    });
    await expect.poll(asked, WAIT).toMatchObject([{ detail: 'https://example.org/manual' }]);
    expect(new URL(app.page.url()).origin).toBe(app.ui);
    expect(app.electron.windows()).toHaveLength(1);
  });

  test('shows the state of the gateway in the tray', async () => {
    await expect.poll(app.log, WAIT).toContain('"message":"tray","gateway":"running"');
    expect(await app.status()).toMatchObject({ gateway: { state: 'running' }, desktop: { kiosk: false } });
  });

  test('ends a second start immediately and brings the first window to the front', async () => {
    await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());
    expect(await app.startAgain()).toBe(0);
    await expect.poll(() => ofWindow('isMinimized'), WAIT).toBe(false);
  });

  test('replaces a crashed gateway, shows it in the tray and keeps the window', async () => {
    const before = (await app.status()).gateway.pid ?? 0;
    process.kill(before, 'SIGKILL');
    await expect.poll(async () => (await app.status()).gateway, WAIT).toMatchObject({ state: 'running', restarts: 1 });
    expect((await app.status()).gateway.pid).not.toBe(before);
    expect(await app.log()).toContain('"message":"tray","gateway":"dead"');
    expect(await ofWindow('isVisible')).toBe(true);
  });

  test('loads a crashed page again', async () => {
    await app.electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
    );
    await expect.poll(app.log, WAIT).toContain('"message":"the page has ended"');
    const title = () =>
      app.electron.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript('document.title'),
      );
    await expect.poll(title, WAIT).toContain('Sluice');
  });

  test('keeps the window open in the full screen of a panel until an Administrator ends it', async () => {
    await app.admin.ok('POST', '/desktop/kiosk', { on: true });
    await expect.poll(() => ofWindow('isKiosk'), WAIT).toBe(true);
    await app.electron.evaluate(({ app: electron, BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.close();
      electron.quit();
    });
    expect(await app.status()).toMatchObject({ desktop: { kiosk: true } });
    await app.admin.ok('POST', '/desktop/kiosk', { on: false });
    await expect.poll(() => ofWindow('isKiosk'), WAIT).toBe(false);
  });

  test('keeps serving when the window is closed', async () => {
    await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    expect(await app.status()).toMatchObject({ gateway: { state: 'running' } });
    expect(await app.startAgain()).toBe(0);
    await expect.poll(() => ofWindow('isVisible'), WAIT).toBe(true);
  });

  test('keeps serving if Quit is answered with "Keep serving"', async () => {
    await answer(0);
    await app.electron.evaluate(({ app: electron }) => electron.quit());
    await expect.poll(asked, WAIT).toMatchObject([{ buttons: ['Keep serving', 'Quit'], defaultId: 0, cancelId: 0 }]);
    expect(await app.status()).toMatchObject({ gateway: { state: 'running' } });
  });

  test('ends window, host and gateway with Quit', async () => {
    const { pid } = (await app.status()).gateway;
    const ended = once(app.electron.process(), 'exit');
    await answer(1);
    // The response to this call may be lost when the program ends.
    await app.electron.evaluate(({ app: electron }) => electron.quit()).catch(() => {});
    expect((await ended)[0]).toBe(0);
    await expect(app.status()).rejects.toThrow('fetch failed');
    expect(() => process.kill(pid ?? 0, 0)).toThrow('ESRCH');
  });
});
