import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';

export interface Ended {
  readonly code: number | null;
  /** Standard output and standard error, interleaved. */
  readonly text: string;
  readonly seconds: number;
}

/** Runs a program to its end, at most `timeoutMs`; everything it prints also goes to the file `log`. */
export async function runProgram(words: readonly string[], log: string, timeoutMs = 600_000): Promise<Ended> {
  const [program = '', ...args] = words;
  const began = performance.now();
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs, killSignal: 'SIGKILL' });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      appendFileSync(log, part);
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, text, seconds: (performance.now() - began) / 1000 };
}

/** Like `runProgram`; throws with the last lines when the program fails. */
export async function must(words: readonly string[], log: string, timeoutMs?: number): Promise<string> {
  const { code, text } = await runProgram(words, log, timeoutMs);
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}:\n${text.slice(-2000)}`);
  return text;
}
