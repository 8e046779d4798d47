import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * `npm start`: the desktop window where Electron's program is at hand, else the service. Nothing is downloaded for
 * it: npm brings Electron's package without its program, and an edge PC may have no network.
 */
const ROOT = new URL('../', import.meta.url);
const SERVICE = new URL('main/service.ts', ROOT);
const DESKTOP = new URL('main/desktop.ts', ROOT);

function main(args: readonly string[]): void {
  const electron = windowProgram();
  if (electron !== null) return run(electron, [fileURLToPath(DESKTOP), ...args]);
  console.error(
    'Electron is not at hand, so Sluice runs as a service, without a window; its UI is at the address that follows.',
  );
  run(process.execPath, [fileURLToPath(SERVICE), 'serve', ...args]);
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

/** Hands the terminal over: a signal that reaches this process alone is passed on, the end of the child is ours. */
function run(program: string, args: readonly string[]): void {
  const child = spawn(program, args, { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    console.error(`Sluice could not be started: ${error.message}`);
    process.exitCode = 1;
  });
  child.once('exit', (code) => (process.exitCode = code ?? 1));
}

main(process.argv.slice(2));
