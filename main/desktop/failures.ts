import { app, dialog } from 'electron';
import { createLogger, type Logger } from '#common/node/log.ts';
import { startAgain } from './autostart.ts';
import { mayRelaunch } from './reload-limit.ts';

/** Target of log lines: standard error, and the log folder as soon as it exists. */
export interface Output {
  write: (line: string) => void;
}

export const logOf = (output: Output): Logger => createLogger('desktop', (line) => output.write(line));

/**
 * The host is in an unexpected state: a new one takes over. A host that has just started would fail in the same way
 * again.
 */
export function restart(error: Error, output: Output): void {
  logOf(output).error('the program has failed', { error });
  if (mayRelaunch(process.uptime())) app.relaunch(startAgain(process.env, process.execPath, process.argv.slice(1)));
  else dialog.showErrorBox('Sluice has stopped', error.message);
  app.exit(1);
}

/** One plain sentence, then the end: without a window there is no other place for it. */
export function explain(error: unknown): number {
  const sentence = error instanceof Error ? error.message : String(error);
  process.stderr.write(`sluice: ${sentence}\n`);
  dialog.showErrorBox('Sluice did not start', sentence);
  return 1;
}
