import { fork, type StdioOptions } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ChildRequests } from '#common/node/child-requests.ts';
import { helperProgram } from '#common/node/helper-program.ts';
import { createSerialQueue } from '#common/serial-queue.ts';
import { TIMED_OUT, type KeychainAnswer, type KeychainQuestion } from './keychain-messages.ts';

/**
 * Accesses the keychain through a separate process, one request at a time.
 *
 * Limits: a timeout per request, after which the process is killed and the next request starts another; an idle process
 * ends after `IDLE_MS`. It delays neither the host's event loop nor its exit.
 */
export interface KeychainClient {
  /** Null: no such entry, or a locked collection, which returns the same result. */
  get(account: string, limitMs: number): Promise<string | null>;
  set(account: string, value: string, limitMs: number): Promise<void>;
  remove(account: string, limitMs: number): Promise<void>;
  close(): void;
}

const SERVICE = 'Sluice';
const IDLE_MS = 30_000;
const WORKER = fileURLToPath(new URL('./keychain-worker.ts', import.meta.url));

export function createKeychainClient(workerFile = WORKER): KeychainClient {
  let running: ChildRequests<KeychainQuestion, KeychainAnswer> | null = null;
  const turns = createSerialQueue();
  let idle: NodeJS.Timeout | null = null;

  function end(): void {
    if (idle) clearTimeout(idle);
    idle = null;
    running?.child.kill('SIGKILL');
    running = null;
  }

  function start(): ChildRequests<KeychainQuestion, KeychainAnswer> {
    const { file, ...program } = helperProgram(workerFile);
    const stdio: StdioOptions = ['ignore', 'ignore', 'ignore', 'ipc'];
    const child = fork(file, [], { ...program, execArgv: [], stdio, windowsHide: true });
    return new ChildRequests(child, ({ error }) => error ?? new Error('the keychain process ended'));
  }

  async function ask(question: Omit<KeychainQuestion, 'id' | 'service'>, limitMs: number): Promise<string | null> {
    if (idle) clearTimeout(idle);
    if (running?.child.connected !== true) running = start();
    try {
      const limit = { ms: limitMs, error: () => new Error(TIMED_OUT) };
      const answer = await running.ask({ ...question, service: SERVICE }, limit);
      if ('error' in answer) throw new Error(answer.error);
      return answer.value;
    } catch (error) {
      // After any error, the next request uses a new process.
      end();
      throw error;
    } finally {
      idle = setTimeout(end, IDLE_MS).unref();
    }
  }

  function queued(question: Omit<KeychainQuestion, 'id' | 'service'>, limitMs: number): Promise<string | null> {
    return turns.take(() => ask(question, limitMs));
  }

  return {
    get: (account, limitMs) => queued({ op: 'get', account, value: '' }, limitMs),
    set: async (account, value, limitMs) => void (await queued({ op: 'set', account, value }, limitMs)),
    remove: async (account, limitMs) => void (await queued({ op: 'remove', account, value: '' }, limitMs)),
    close: end,
  };
}
