import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { until } from './until.ts';

/** Runs the text of a module until its output is sufficient, then kills it; returns its output. */
export async function killedChild(
  code: string,
  args: readonly string[],
  isEnough: (text: string) => boolean,
): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', code, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const ended = once(child, 'close');
  await until('it has written enough', () => isEnough(text));
  child.kill('SIGKILL');
  await ended;
  return text;
}
