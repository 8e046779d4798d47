import { fork, type ChildProcess, type StdioOptions } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { helperProgram } from '#common/node/helper-program.ts';
import { TIMED_OUT, type KeychainAnswer, type KeychainQuestion } from './keychain-messages.ts';

/**
 * Asks the keychain through a process of its own, one question at a time.
 *
 * Limits: a time limit per question, after which the process is killed and the next question starts another; an idle
 * process ends after `IDLE_MS`. It keeps neither the host's event loop nor its exit waiting.
 */
export interface KeychainClient {
  /** Null: no such entry — or a locked collection, which answers the same. */
  get(account: string, limitMs: number): Promise<string | null>;
  set(account: string, value: string, limitMs: number): Promise<void>;
  remove(account: string, limitMs: number): Promise<void>;
  close(): void;
}

const SERVICE = 'Sluice';
const IDLE_MS = 30_000;
const WORKER = fileURLToPath(new URL('./keychain-worker.ts', import.meta.url));

export function createKeychainClient(workerFile = WORKER): KeychainClient {
  let child: ChildProcess | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  let lastId = 0;
  let idle: NodeJS.Timeout | null = null;

  function end(): void {
    if (idle) clearTimeout(idle);
    idle = null;
    child?.kill('SIGKILL');
    child = null;
  }

  function running(): ChildProcess {
    if (child?.connected) return child;
    const { file, ...program } = helperProgram(workerFile);
    const stdio: StdioOptions = ['ignore', 'ignore', 'ignore', 'ipc'];
    child = fork(file, [], { ...program, execArgv: [], stdio, windowsHide: true });
    child.unref();
    child.channel?.unref();
    return child;
  }

  async function ask(question: Omit<KeychainQuestion, 'id' | 'service'>, limitMs: number): Promise<string | null> {
    if (idle) clearTimeout(idle);
    const asked = running();
    try {
      return await oneAnswer(asked, { ...question, id: ++lastId, service: SERVICE }, limitMs);
    } catch (error) {
      // Whatever went wrong, the next question gets a fresh process.
      end();
      throw error;
    } finally {
      idle = setTimeout(end, IDLE_MS).unref();
    }
  }

  function queued(question: Omit<KeychainQuestion, 'id' | 'service'>, limitMs: number): Promise<string | null> {
    const answer = turn.then(() => ask(question, limitMs));
    turn = answer.catch(() => {});
    return answer;
  }

  return {
    get: (account, limitMs) => queued({ op: 'get', account, value: '' }, limitMs),
    set: async (account, value, limitMs) => void (await queued({ op: 'set', account, value }, limitMs)),
    remove: async (account, limitMs) => void (await queued({ op: 'remove', account, value: '' }, limitMs)),
    close: end,
  };
}

function oneAnswer(child: ChildProcess, question: KeychainQuestion, limitMs: number): Promise<string | null> {
  const { promise, resolve, reject } = Promise.withResolvers<string | null>();
  const limit = setTimeout(() => reject(new Error(TIMED_OUT)), limitMs);
  const onMessage = (answer: KeychainAnswer): void => {
    if (answer.id !== question.id) return;
    if ('error' in answer) reject(new Error(answer.error));
    else resolve(answer.value);
  };
  const onExit = (): void => reject(new Error('the keychain process ended'));
  child.on('message', onMessage);
  child.once('exit', onExit);
  child.once('error', reject);
  child.send(question, (error) => error && reject(error));
  return promise.finally(() => {
    clearTimeout(limit);
    child.off('message', onMessage);
    child.off('exit', onExit);
    child.off('error', reject);
  });
}
