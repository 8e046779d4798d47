import type { TestKey } from '#test/make-key.ts';

/** The request to every contestant, and the response that it must return before it is measured. */
export interface Workload {
  readonly name: 'GET with a param' | 'POST 1 KB JSON' | 'POST 1 KB, transform' | 'POST 1 KB, transform in the sandbox';
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
  /** A new connection for each request; default: kept alive. */
  readonly connectionPerRequest?: boolean;
  /** The caller of its requests; default: the caller of all contestants. */
  readonly caller?: Caller;
  start(): Promise<RunningContestant>;
}

export interface RunningContestant {
  readonly port: number;
  readonly pid: number;
  /** It uses TLS, with this certificate; default: plain HTTP. */
  readonly ca?: string;
  stop(): Promise<void>;
}

/** Everything in a request except method, path and body; the same for every contestant. */
export interface Caller {
  readonly key: TestKey;
  readonly headers: Readonly<Record<string, string>>;
}
