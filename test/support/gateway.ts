import { type ChildProcess, fork } from 'node:child_process';
import type {
  Change,
  Failure,
  GatewayCallName,
  GatewayCalls,
  GatewayEvent,
  GatewayToHost,
  HostToGateway,
  KeyEntry,
  PipelineStart,
  Snapshot,
  StoppedRoute,
} from '#common/control/messages.ts';
import type { AuditRow } from '#common/model/audit.ts';
import { pipelineDefinition } from '#common/model/pipeline.ts';
import type { ProjectResources } from '#common/model/resources.ts';
import { type Settings, settingsSchema } from '#common/model/settings.ts';
import { dirname } from 'node:path';
import { GATEWAY_FLAGS } from '#common/node/gateway-flags.ts';
import { gatewayPermissions, makeGatewayFolders } from '#common/node/permissions.ts';
import { journalRows } from './journal-rows.ts';
import { TEST_PEPPER, TEST_PROJECT, type TestKey } from './make-key.ts';
import { CONFINE, GATEWAY_ENTRY } from './paths.ts';
import type { PipelineInput } from './route-pipeline.ts';
import { tempDir } from './temp-dir.ts';
import { within } from './until.ts';

export interface GatewayOptions {
  /** Pipelines of project `line-1`, or of another one with `{ project, definition }`. */
  pipelines?: (PipelineInput | { project: string; definition: PipelineInput })[];
  keys?: (TestKey | KeyEntry)[];
  /** Changes of the defaults; port 0 and 127.0.0.1 by default. */
  settings?: Partial<Settings>;
  env?: Record<string, string>;
  machineName?: string;
  refuseAllKeys?: boolean;
  /** Hex, 32 bytes. */
  fleetPepper?: string;
  stoppedRoutes?: StoppedRoute[];
  /** Resources of projects other than pipelines. */
  resources?: ProjectResources[];
  /** Without it, a pipeline that fails to start is an error here. */
  allowFailed?: boolean;
  /** Used and kept; without it a temporary folder that `stop` removes. */
  dataDir?: string;
  /** A command before Node, such as ['taskset', '-c', '0']. */
  prefix?: string[];
  /** Called with the child immediately, long before it is ready. */
  onSpawn?(child: ChildProcess): void;
}

type Ready = Extract<GatewayToHost, { type: 'ready' }>;
type Hello = Extract<GatewayToHost, { type: 'hello' }>;

export interface TestGateway extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
  readonly dataDir: string;
  readonly hello: Hello;
  readonly ready: Ready;
  readonly events: readonly GatewayEvent[];
  /** Everything it has printed. */
  log(): string;
  call<C extends GatewayCallName>(call: C, args: GatewayCalls[C]['args']): Promise<GatewayCalls[C]['value']>;
  /** Resolves when the gateway acknowledged; rejects with `ControlFailure`. */
  change(change: Change): Promise<void>;
  /** Changes to the settings with which it was started. */
  changeSettings(settings: Partial<Settings>): Promise<void>;
  /** The current rows in the gateway's journal; of one request if given. */
  journalRows(requestId?: string): Promise<AuditRow[]>;
  /** Requests a stop and waits; returns its exit code. */
  stop(graceMs?: number): Promise<number | null>;
  /** SIGKILL, and removal of the folder unless it was given. */
  kill9(): Promise<void>;
}

export class ControlFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(`${failure.code}: ${failure.detail}`);
    this.failure = failure;
  }
}

/** SLUICE_TEST_WORKERS=3: by default, the gateway of every test has this many workers. */
const { SLUICE_TEST_WORKERS } = process.env;
const WORKERS = SLUICE_TEST_WORKERS === undefined ? {} : { workers: Number(SLUICE_TEST_WORKERS) };

/** Starts the real gateway process and applies its first snapshot. */
export async function startGateway(options: GatewayOptions = {}): Promise<TestGateway> {
  const own = options.dataDir === undefined ? await tempDir() : null;
  const dataDir = options.dataDir ?? own?.path ?? '';
  makeGatewayFolders(dataDir);
  const channel = openChannel({ ...options, dataDir });
  try {
    const hello = await channel.hello;
    const ready = await channel.snapshot(makeSnapshot(options, dataDir));
    const [failed] = ready.failed;
    if (failed && !options.allowFailed) throw new Error(`a pipeline did not start: ${JSON.stringify(failed)}`);
    const { settings } = makeSnapshot(options, dataDir);
    return facade(channel, { hello, ready, dataDir, settings, forget: async () => own?.remove() });
  } catch (error) {
    await channel.kill();
    await own?.remove();
    throw error;
  }
}

export function makeSnapshot(options: GatewayOptions, dataDir: string): Snapshot {
  const settings = settingsSchema.parse({ gatewayHost: '127.0.0.1', gatewayPort: 0, ...WORKERS, ...options.settings });
  return {
    dataDir,
    settings,
    machineName: options.machineName ?? 'edge-7',
    keyPepper: TEST_PEPPER,
    fleetPepper: options.fleetPepper ?? null,
    outboxKey: TEST_PEPPER,
    keys: (options.keys ?? []).map((key) => ('entry' in key ? key.entry : key)),
    pipelines: (options.pipelines ?? []).map((pipeline) =>
      'definition' in pipeline ? pipelineStart(pipeline.definition, pipeline.project) : pipelineStart(pipeline),
    ),
    stoppedRoutes: options.stoppedRoutes ?? [],
    resources: options.resources ?? [],
    plugins: [],
    writeStops: [],
    refuseAllKeys: options.refuseAllKeys ?? false,
    refuseFleetKeys: false,
  };
}

/** A pipeline in a `start` change. */
export function pipelineStart(input: PipelineInput, project = TEST_PROJECT, revision = 1): PipelineStart {
  return { project, revision, definition: pipelineDefinition.parse(input) };
}

interface Channel {
  readonly child: ChildProcess;
  readonly hello: Promise<Hello>;
  readonly events: GatewayEvent[];
  readonly exited: Promise<number | null>;
  log(): string;
  snapshot(snapshot: Snapshot): Promise<Ready>;
  change(change: Change): Promise<void>;
  call(call: string, args: unknown): Promise<unknown>;
  send(message: HostToGateway): void;
  kill(): Promise<void>;
}

function openChannel(options: GatewayOptions): Channel {
  const child = spawnChild(options);
  options.onSpawn?.(child);
  const events: GatewayEvent[] = [];
  const waiting = new Map<string, { resolve(value: unknown): void; reject(error: Error): void }>();
  let printed = '';
  let epoch = 0;
  let callId = 0;
  const expectMessage = <T>(id: string) =>
    new Promise<T>((resolve, reject) => waiting.set(id, { resolve: (value) => resolve(value as T), reject }));
  const settle = (id: string, value: unknown, error?: Failure) => {
    const waiter = waiting.get(id);
    waiting.delete(id);
    if (error) waiter?.reject(new ControlFailure(error));
    else waiter?.resolve(value);
  };
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text) => (printed = (printed + String(text)).slice(-100_000)));
  child.on('message', (message: GatewayToHost) => {
    if (message.type === 'hello' || message.type === 'ready') settle(message.type, message);
    else if (message.type === 'ack')
      settle(message.error && epoch === 1 ? 'ready' : `ack ${message.epoch}`, undefined, message.error);
    else if (message.type === 'reply') settle(`reply ${message.id}`, message.value, message.error);
    else if (message.type === 'event') events.push(message.event);
  });
  const endWithHost = () => child.kill('SIGKILL');
  process.once('exit', endWithHost);
  const exited = new Promise<number | null>((resolve) => {
    const gone = (code: number | null) => {
      process.removeListener('exit', endWithHost);
      for (const { reject } of waiting.values()) reject(new Error(`the gateway ended (code ${code}):\n${printed}`));
      waiting.clear();
      resolve(code);
    };
    child.once('close', gone);
    child.once('error', () => gone(null));
  });
  const send = (message: HostToGateway) => void (child.connected && child.send(message, () => {}));
  const hello = within(20_000, 'hello from the gateway', expectMessage<Hello>('hello'));
  return {
    child,
    hello,
    events,
    exited,
    log: () => printed,
    send,
    snapshot(snapshot) {
      epoch += 1;
      const ready = expectMessage<Ready>('ready');
      send({ type: 'snapshot', epoch, snapshot });
      return within(30_000, 'ready from the gateway', ready);
    },
    change(change) {
      epoch += 1;
      const acknowledged = expectMessage<void>(`ack ${epoch}`);
      send({ type: 'change', epoch, change });
      return within(20_000, `acknowledgement of ${change.kind}`, acknowledged);
    },
    call(name, args) {
      callId += 1;
      const answered = expectMessage(`reply ${callId}`);
      send({ type: 'call', id: callId, call: name as GatewayCallName, args });
      return within(20_000, `reply to ${name}`, answered);
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function spawnChild({ env = {}, prefix = [], dataDir = '' }: GatewayOptions): ChildProcess {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env;
  const places = { entry: GATEWAY_ENTRY, confine: CONFINE, dataDir, compileCache: NODE_COMPILE_CACHE };
  const command = [...prefix, process.execPath, ...GATEWAY_FLAGS, ...gatewayPermissions(places)];
  const inherited = { PATH, HOME, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) };
  return fork(GATEWAY_ENTRY, [], {
    execPath: command[0] ?? process.execPath,
    execArgv: command.slice(1),
    cwd: dirname(GATEWAY_ENTRY),
    env: { ...inherited, ...env },
    serialization: 'json',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

interface FacadeParts {
  hello: Hello;
  ready: Ready;
  dataDir: string;
  settings: Settings;
  forget(): Promise<void>;
}

function facade(channel: Channel, { hello, ready, dataDir, settings, forget }: FacadeParts): TestGateway {
  const stop = async (graceMs = 2000) => {
    channel.send({ type: 'stop', graceMs });
    try {
      return await within(graceMs + 8000, 'the gateway ends after "stop"', channel.exited);
    } catch (error) {
      throw new Error(`${String(error)}; its log ends with: ${channel.log().slice(-1000)}`, { cause: error });
    } finally {
      await channel.kill();
      await forget();
    }
  };
  return {
    port: ready.port,
    pid: hello.pid,
    dataDir,
    hello,
    ready,
    events: channel.events,
    log: channel.log,
    call: (name, args) => channel.call(name, args),
    change: channel.change,
    changeSettings: (patch) => channel.change({ kind: 'settings', settings: { ...settings, ...patch } }),
    async journalRows(requestId) {
      const rows = await journalRows(dataDir);
      return requestId === undefined ? rows : rows.filter((row) => row.requestId === requestId);
    },
    stop,
    async kill9() {
      await channel.kill();
      await forget();
    },
    async [Symbol.asyncDispose]() {
      if (channel.child.exitCode === null && channel.child.signalCode === null) await stop();
    },
  };
}
