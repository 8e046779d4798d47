import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

/** Database servers refuse to run as root: in that case they run as the user of their package. */
export interface RunAs {
  readonly uid?: number;
  readonly gid?: number;
}

export function runAs(user: string): RunAs {
  if (process.getuid?.() !== 0) return {};
  const id = (option: string) => Number(execFileSync('id', [option, user], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** A server program that is controlled by the test; `said` is the end of its output. */
export class ServerProgram {
  readonly #command: readonly [string, readonly string[]];
  readonly #as: RunAs;
  #child: ChildProcess | null = null;
  said = '';

  constructor(program: string, args: readonly string[], as: RunAs) {
    this.#command = [program, args];
    this.#as = as;
  }

  start(): void {
    const [program, args] = this.#command;
    const child = spawn(program, args, { ...this.#as, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        this.said = (this.said + String(chunk)).slice(-8_192);
      });
    this.#child = child;
  }

  get running(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === null || !this.running) return;
    const ended = once(child, 'close');
    child.kill(signal);
    await ended;
  }
}

export function firstThatExists(paths: readonly string[]): string | null {
  return paths.find((path) => existsSync(path)) ?? null;
}
