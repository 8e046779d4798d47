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

  test('opens one window on the log-in; the person at the machine is nobody yet', async () => {
    expect(app.electron.windows()).toHaveLength(1);
    await app.page.reload();
    await app.page.getByRole('button', { name: 'Log in' }).waitFor();
  });

  test('the page is in the sandbox: no Node, no preload, no way to this process', async () => {
    const powers = await app.page.evaluate(() =>
      ['require', 'process', 'module', 'Buffer', 'electron', 'ipcRenderer'].filter((name) => name in globalThis),
    );
    expect(powers).toEqual([]);
  });

  test('somebody logs in', async () => {
    await app.page.getByLabel('Name').fill(ADMIN.name);
    await app.page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await app.page.getByRole('button', { name: 'Log in' }).click();
    await app.page.getByRole('navigation', { name: 'Main' }).waitFor();
  });

  test('the window goes nowhere else, and opens no other', async () => {
    await answer(0);
    await app.page.evaluate(() => {
      window.open('https://example.org/manual');
      location.href = 'https://example.org/';
    });
    await expect.poll(asked, WAIT).toMatchObject([{ detail: 'https://example.org/manual' }]);
    expect(new URL(app.page.url()).origin).toBe(app.ui);
    expect(app.electron.windows()).toHaveLength(1);
  });

  test('the tray follows the gateway', async () => {
    await expect.poll(app.log, WAIT).toContain('"message":"tray","gateway":"running"');
    expect(await app.status()).toMatchObject({ gateway: { state: 'running' }, desktop: { kiosk: false } });
  });

  test('a second start ends at once and brings the window of the first to the front', async () => {
    await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());
    expect(await app.startAgain()).toBe(0);
    await expect.poll(() => ofWindow('isMinimized'), WAIT).toBe(false);
  });

  test('a gateway that crashes is replaced, and the tray shows it; the window stays', async () => {
    const before = (await app.status()).gateway.pid ?? 0;
    process.kill(before, 'SIGKILL');
    await expect.poll(async () => (await app.status()).gateway, WAIT).toMatchObject({ state: 'running', restarts: 1 });
    expect((await app.status()).gateway.pid).not.toBe(before);
    expect(await app.log()).toContain('"message":"tray","gateway":"dead"');
    expect(await ofWindow('isVisible')).toBe(true);
  });

  test('a page that crashes is loaded again', async () => {
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

  test('in the full screen of a panel the window cannot be closed; an Administrator ends it', async () => {
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

  test('closing the window keeps serving', async () => {
    await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    expect(await app.status()).toMatchObject({ gateway: { state: 'running' } });
    expect(await app.startAgain()).toBe(0);
    await expect.poll(() => ofWindow('isVisible'), WAIT).toBe(true);
  });

  test('Quit asks; "Keep serving" keeps serving', async () => {
    await answer(0);
    await app.electron.evaluate(({ app: electron }) => electron.quit());
    await expect.poll(asked, WAIT).toMatchObject([{ buttons: ['Keep serving', 'Quit'], defaultId: 0, cancelId: 0 }]);
    expect(await app.status()).toMatchObject({ gateway: { state: 'running' } });
  });

  test('Quit ends window, host and gateway', async () => {
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
