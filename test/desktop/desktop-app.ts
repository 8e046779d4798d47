import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright';
import type { StatusRecord } from '#common/model/records.ts';
import { type AdminClient, createAdminClient } from '#test/admin-client.ts';
import { ROOT } from '#test/paths.ts';
import { ADMIN } from '#test/service.ts';
import { tempDir } from '#test/temp-dir.ts';

/** The desktop app as started by a user, from the sources, with its own data folder and ports. */
export interface DesktopApp {
  readonly electron: ElectronApplication;
  readonly page: Page;
  readonly ui: string;
  readonly admin: AdminClient;
  status(): Promise<StatusRecord>;
  /** Lines of the log folder, the newest last. */
  log(): Promise<string>;
  /** A second start of the same; returns its exit code. */
  startAgain(...words: string[]): Promise<number | null>;
  stop(): Promise<void>;
}

const ENTRY = join(ROOT, 'main/desktop.ts');
const PACKAGE = join(ROOT, 'node_modules/electron');
const START_MS_MAX = 60_000;

/** Why there is no desktop to test here; null if there is one. */
export const noDesktop: string | null = missing();

function missing(): string | null {
  if (program() === null)
    return 'Electron’s program is not here: npm brings its package without it (npx install-electron)';
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY) return 'there is no screen (xvfb-run makes one)';
  return null;
}

function program(): string | null {
  const pathFile = join(PACKAGE, 'path.txt');
  if (!existsSync(pathFile)) return null;
  const file = join(PACKAGE, 'dist', readFileSync(pathFile, 'utf8').trim());
  return existsSync(file) ? file : null;
}

export async function startDesktop(): Promise<DesktopApp> {
  const folder = await tempDir('sluice-desktop-');
  // Chromium refuses to run as root with its sandbox: only then is it disabled.
  const before = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const flags = ['--data', folder.path, '--gateway-host', '127.0.0.1', '--gateway-port', '0', '--ui-port', '0'];
  const args = [...before, ENTRY, ...flags, '--secret-store', 'file'];
  const executablePath = program() ?? '';
  const electron = await _electron.launch({ executablePath, args, timeout: START_MS_MAX });
  const page = await electron.firstWindow({ timeout: START_MS_MAX });
  await page.waitForLoadState('domcontentloaded');
  const ui = new URL(page.url()).origin;
  const admin = createAdminClient(ui);
  const token = (await readFile(join(folder.path, 'setup-token'), 'utf8')).trim();
  await admin.ok('POST', '/setup', { token, ...ADMIN });
  await admin.logIn(ADMIN.name, ADMIN.password);
  return {
    electron,
    page,
    ui,
    admin,
    status: () => admin.ok<StatusRecord>('GET', '/status'),
    log: () => readFile(join(folder.path, 'desktop', 'logs', 'sluice.log'), 'utf8'),
    async startAgain(...words) {
      const child = spawn(executablePath, [...args, ...words], { stdio: 'ignore', timeout: START_MS_MAX });
      const [code] = (await once(child, 'exit')) as [number | null];
      return code;
    },
    async stop() {
      const child = electron.process();
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      await folder.remove();
    },
  };
}
