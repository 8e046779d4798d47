import { join } from 'node:path';
import { app, dialog, type BrowserWindow } from 'electron';
import type { Logger } from '#common/node/log.ts';
import type { ShellView } from '../host/shell-view.ts';
import { diagnosticsName, writeDiagnostics } from './diagnostics.ts';
import { showMessage } from './dialogs.ts';
import type { Words } from './words.ts';

interface Source {
  view: ShellView;
  dataDir: string;
  logFolder: string;
  words: Words;
  log: Logger;
}

/** Writes the diagnostics to the place that the user chooses, and reports the result. */
export async function saveDiagnostics(window: BrowserWindow | null, source: Source): Promise<void> {
  const { words, log } = source;
  const target = await askWhere();
  if (target === null) return;
  try {
    await write(target, source);
    await showMessage(window, words.saved, target);
  } catch (error) {
    log.error('the diagnostics could not be written', { error });
    await showMessage(window, words.notSaved, error instanceof Error ? error.message : String(error));
  }
}

async function askWhere(): Promise<string | null> {
  const options = { defaultPath: join(app.getPath('documents'), diagnosticsName(new Date())) };
  const { filePath, canceled } = await dialog.showSaveDialog(options);
  return canceled || filePath === '' ? null : filePath;
}

async function write(target: string, { view, dataDir, logFolder }: Source): Promise<void> {
  const secrets = await view.secrets();
  const state = view.state();
  await writeDiagnostics(target, { dataDir, logFolder, about: about(), state, settings: view.settings(), secrets });
}

function about(): Record<string, unknown> {
  const { electron, chrome, node } = process.versions;
  return {
    sluice: app.getVersion(),
    electron,
    chrome,
    node,
    platform: process.platform,
    arch: process.arch,
    system: process.getSystemVersion(),
    packaged: app.isPackaged,
    locale: app.getLocale(),
    uptimeSeconds: Math.round(process.uptime()),
    memory: process.memoryUsage(),
  };
}
