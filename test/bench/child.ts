import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { until, within } from '#test/until.ts';

/** A process of a file in this folder that sends one message at its start and then answers each message with one. */
export interface Child extends AsyncDisposable {
  /** Its first message. */
  readonly hello: unknown;
  ask(message: object | string, timeoutMs: number): Promise<unknown>;
}

const HELLO_MS_MAX = 20_000;

/** `prefix` is inserted before Node, such as ['taskset', '-c', '0']. */
export async function startChild(
  file: string,
  args: readonly string[],
  prefix: readonly string[] = [],
): Promise<Child> {
  const [execPath, ...execArgv] = [...prefix, process.execPath];
  const child: ChildProcess = fork(fileURLToPath(new URL(file, import.meta.url)), args, { execPath, execArgv });
  const next = async (timeoutMs: number) => ((await within(timeoutMs, file, once(child, 'message'))) as unknown[])[0];
  const hello = await next(HELLO_MS_MAX);
  return {
    hello,
    ask(message, timeoutMs) {
      const answer = next(timeoutMs);
      child.send(message);
      return answer;
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect();
      await until(`${file} ends`, () => child.exitCode !== null || child.signalCode !== null);
    },
  };
}
