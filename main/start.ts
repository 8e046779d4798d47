import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { COMMANDS } from './cli/commands.ts';
import { runCommandLine } from './cli/main.ts';

/**
 * `npm start`: the desktop window where Electron's program is at hand, else the service. Nothing is downloaded for
 * it: npm brings Electron's package without its program, and an edge PC may have no network.
 */
const ROOT = new URL('../', import.meta.url);
const DESKTOP = new URL('main/desktop.ts', ROOT);

async function main(args: readonly string[]): Promise<void> {
  const electron = windowProgram();
  if (electron === null) process.exitCode = await runService(args);
  else openWindow(electron, args);
}

/** Electron's program, if it was fetched and there is a screen to open a window on. */
function windowProgram(): string | null {
  const folder = new URL('node_modules/electron/', ROOT);
  const pathFile = new URL('path.txt', folder);
  if (!existsSync(DESKTOP) || !existsSync(pathFile) || !hasScreen()) return null;
  const program = new URL(`dist/${readFileSync(pathFile, 'utf8').trim()}`, folder);
  return existsSync(program) ? fileURLToPath(program) : null;
}

function hasScreen(): boolean {
  return process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
}

function runService(args: readonly string[]): Promise<number> {
  const print = (line: string): void => {
    process.stdout.write(`${line}\n`);
    const ui = readyUi(line);
    if (ui !== null)
      process.stderr.write(
        `Sluice runs as a service, without a window (Electron is not at hand); its UI is at ${ui}\n`,
      );
  };
  return runCommandLine(['serve', ...args], COMMANDS, { environment: process.env, print });
}

/** The UI's address in the line that says that both ports answer; null in any other. */
function readyUi(line: string): string | null {
  if (!line.startsWith('{"event":"ready"')) return null;
  const ready: unknown = JSON.parse(line);
  return typeof ready === 'object' && ready !== null && 'ui' in ready ? String(ready.ui) : null;
}

/** Hands the terminal over: a signal that reaches this process alone is passed on, the end of the child is ours. */
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
