import type { TempDir } from '../temp-dir.ts';
import { until } from '../until.ts';
import type { ServerProgram } from './child-program.ts';

export interface DatabasePeer extends AsyncDisposable {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Kills the server. */
  kill9(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export const USER = 'sluice';
export const PASSWORD = 'only-for-the-test';

interface Parts {
  readonly name: string;
  readonly port: number;
  readonly database: string;
  readonly program: ServerProgram;
  readonly dir: TempDir;
  answers(): Promise<boolean>;
  readonly ready: { readonly timeoutMs: number; readonly everyMs: number };
  readonly stopBy: NodeJS.Signals;
}

/** Starts the program and waits until it responds; its folder is removed with it. */
export async function startDatabasePeer(parts: Parts): Promise<DatabasePeer> {
  const { name, port, database, program, dir, answers, ready, stopBy } = parts;
  // If it was just killed, it may find its own files still in use and give up.
  const up = async () => {
    if (!program.running) program.start();
    return answers();
  };
  const start = () => until(`${name} answers`, up, ready);
  const stop = async () => {
    await program.stop(stopBy);
    await dir.remove();
  };
  await start();
  return {
    port,
    user: USER,
    password: PASSWORD,
    database,
    kill9: () => program.stop('SIGKILL'),
    restart: async () => void (await start()),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
