import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { COMMANDS } from './cli/commands.ts';
import { runCommandLine } from './cli/main.ts';
import { findProgram, type FoundProgram } from './desktop/electron-program.ts';

/**
 * `npm start`: the desktop window if Electron's program is available or can be downloaded, otherwise the service, with
 * one line with the reason and the address of its UI.
 */
const ROOT = new URL('../', import.meta.url);
const DESKTOP = new URL('main/desktop.ts', ROOT);

async function main(args: readonly string[]): Promise<void> {
  // A reader that disconnected (a closed terminal, `| head`) must not end the service.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const found = await windowProgram();
  if (found.program === null) process.exitCode = await runService(args, found.reason);
  else openWindow(found.program, args);
}

async function windowProgram(): Promise<FoundProgram> {
  if (!existsSync(DESKTOP)) return { program: null, reason: 'this tree has no window' };
  return findProgram({
    packageFolder: fileURLToPath(new URL('node_modules/electron/', ROOT)),
    environment: process.env,
    platform: process.platform,
    tell: (line) => process.stderr.write(`${line}\n`),
  });
}

function runService(args: readonly string[], reason: string): Promise<number> {
  const print = (line: string): void => {
    process.stdout.write(`${line}\n`);
    const ui = readyUi(line);
    if (ui !== null)
      process.stderr.write(`Sluice runs as a service, without a window (${reason}); its UI is at ${ui}\n`);
  };
  return runCommandLine(['serve', ...args], COMMANDS, { environment: process.env, print });
}

/** The UI's address in the line that reports both ports as ready; null for any other line. */
function readyUi(line: string): string | null {
  if (!line.startsWith('{"event":"ready"')) return null;
  const ready: unknown = JSON.parse(line);
  return typeof ready === 'object' && ready !== null && 'ui' in ready ? String(ready.ui) : null;
}

/**
 * Passes control to the child: a signal that reaches only this process is forwarded, and this process exits with the
 * child.
 */
function openWindow(program: string, args: readonly string[]): void {
  const child = spawn(program, [fileURLToPath(DESKTOP), ...args], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    process.stderr.write(`Sluice could not be started: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.once('exit', (code) => (process.exitCode = code ?? 1));
}

await main(process.argv.slice(2));
