import { fork } from 'node:child_process';
import type { GatewayToHost, HostToGateway } from '#common/control/messages.ts';
import { dirname } from 'node:path';
import { GATEWAY_FLAGS } from '#common/node/gateway-flags.ts';
import { type GatewayPlaces, gatewayPermissions } from '#common/node/permissions.ts';

/**
 * One gateway process, however it was started: `fork` in service mode, Electron's `utilityProcess` in the desktop app.
 */
export interface GatewayChild {
  readonly pid: number | null;
  /**
   * A message to a process that has ended is dropped; its exit is reported separately. Throws for values that cannot be
   * written as JSON.
   */
  send(message: HostToGateway): void;
  onMessage(listener: (message: GatewayToHost) => void): void;
  /** Called once, when the process has ended or could not be started. */
  onExit(listener: (end: ChildEnd) => void): void;
  /** Ends it immediately and unconditionally (SIGKILL). */
  kill(): void;
}

export interface ChildEnd {
  code: number | null;
  signal: string | null;
  error?: string;
}

export type StartChild = () => GatewayChild;

/**
 * The part of the host's environment that a gateway may see: none of it contains a secret or changes how Node runs
 * code.
 */
const ENVIRONMENT = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TEMP',
  'TMP',
  'LANG',
  'LC_ALL',
  'TZ',
  'SystemRoot',
  'windir',
  'SLUICE_DEBUG',
  // Names the stream to systemd's journal, which standard error may be connected to.
  'JOURNAL_STREAM',
  // Set by the launcher of the package: how many memory pools the system's library keeps for its threads.
  'MALLOC_ARENA_MAX',
];

export interface ForkOptions {
  /** Writable by nobody else: the gateway runs the code in it. NODE_COMPILE_CACHE of the host takes precedence. */
  compileCacheFolder?: string | undefined;
  /** Without it, the process has all rights of the host's user. */
  confined?: Pick<GatewayPlaces, 'confine' | 'dataDir'>;
}

/**
 * Starts the gateway's entry file as a plain Node process. Its output is written to the host's standard error: standard
 * output is reserved for the `ready` line. Messages are JSON, and cannot contain anything else.
 */
export function forkGateway(entry: string, { compileCacheFolder, confined }: ForkOptions = {}): StartChild {
  const { NODE_COMPILE_CACHE: own = '' } = process.env;
  const folder = own === '' ? compileCacheFolder : own;
  const cache = folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
  const permissions = confined === undefined ? [] : gatewayPermissions({ entry, ...confined, compileCache: folder });
  return () => {
    const child = fork(entry, [], {
      env: { ...scrubbed(process.env), ...cache },
      execArgv: [...GATEWAY_FLAGS, ...permissions],
      // Node allows the threads of a process to read it.
      cwd: dirname(entry),
      serialization: 'json',
      stdio: ['ignore', 2, 2, 'ipc'],
      windowsHide: true,
    });
    // A gateway without its channel receives no more messages: it is ended so that it does not serve an outdated state.
    child.once('disconnect', () => child.kill('SIGKILL'));
    return {
      pid: child.pid ?? null,
      send: (message) => {
        if (child.connected) child.send(message, () => {});
      },
      onMessage: (listener) => {
        child.on('message', (message) => {
          if (isControlMessage(message)) listener(message);
        });
      },
      onExit: (listener) => {
        child.once('exit', (code, signal) => listener({ code, signal }));
        child.once('error', (error) => {
          if (child.pid === undefined) listener({ code: null, signal: null, error: error.message });
        });
      },
      kill: () => void child.kill('SIGKILL'),
    };
  };
}

/** The part of an environment that a gateway may see. */
export function scrubbed(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    ENVIRONMENT.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  );
}

export function isControlMessage(message: unknown): message is GatewayToHost {
  return typeof message === 'object' && message !== null && 'type' in message && typeof message.type === 'string';
}
