import type { TestKey } from '#test/make-key.ts';

/** What is asked of every contestant, and what it must answer before it is measured. */
export interface Workload {
  readonly name: 'GET with a param' | 'POST 1 KB JSON' | 'POST 1 KB, transform';
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body: string | null;
  readonly status: number;
  readonly answer: unknown;
}

/** One server process under measurement. */
export interface Contestant {
  readonly name: string;
  readonly workloads: readonly Workload[];
  /** Each request on a connection of its own; kept alive unless given. */
  readonly connectionPerRequest?: boolean;
  start(): Promise<RunningContestant>;
}

export interface RunningContestant {
  readonly port: number;
  readonly pid: number;
  /** It speaks TLS, with this certificate; plain HTTP unless given. */
  readonly ca?: string;
  stop(): Promise<void>;
}

/** Everything that a request carries besides method, path and body; every contestant gets the same. */
export interface Caller {
  readonly key: TestKey;
  readonly headers: Readonly<Record<string, string>>;
}
