import { resolve } from 'node:path';
import type { ZodType } from 'zod';
import { clip } from '#common/clip.ts';
import { settingsSchema, type Settings } from '#common/model/settings.ts';
import type { HubPlace } from '../fleet/hub-state.ts';
import type { Arguments, Flag } from './arguments.ts';
import { defaultDataFolder } from './data-folder.ts';
import { entryAt } from './entry-at.ts';
import { isOddPlace } from './odd-places.ts';
import { UsageError } from './plain-error.ts';

/**
 * Flags that fix settings, the corresponding environment variables, and the meaning of both. A flag takes precedence.
 */
export const SECRET_STORES = ['auto', 'keychain', 'credential', 'file'] as const;
export type SecretStoreChoice = (typeof SECRET_STORES)[number];

export const DATA_FLAGS = {
  data: { value: 'DIR', help: 'data folder' },
  'secret-store': { value: SECRET_STORES.join('|'), help: 'where a new vault keeps its secret (auto)' },
} as const satisfies Record<string, Flag>;

export const SERVE_FLAGS = {
  ...DATA_FLAGS,
  'gateway-host': { value: 'H', help: 'address that the gateway listens on (0.0.0.0)' },
  'gateway-port': { value: 'N', help: 'port of the published routes (8090)' },
  'ui-port': { value: 'N', help: 'port of the UI and the admin API on 127.0.0.1 (8091)' },
  'journal-head-file': { value: 'FILE', help: 'file outside the data folder that keeps the journal’s heads' },
  demo: { help: 'run with a temporary data folder and sample routes' },
} as const satisfies Record<string, Flag>;

export interface DataOptions {
  dataDir: string;
  secretStore: SecretStoreChoice;
}

export interface ServeOptions extends DataOptions {
  overrides: Partial<Pick<Settings, 'gatewayHost' | 'gatewayPort' | 'uiPort' | 'journalHeadFile'>>;
  demo: boolean;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export function dataOptions(args: Arguments, environment: Environment): DataOptions {
  const data = given(args, environment, 'data');
  const store = given(args, environment, 'secret-store');
  const dataDir = resolve(data?.value ?? defaultDataFolder());
  const source = data?.source ?? 'the data folder';
  refuseFile(dataDir, source);
  refuseOddPlace(dataDir, source);
  return { dataDir, secretStore: store ? secretStore(store) : 'auto' };
}

export function serveOptions(args: Arguments, environment: Environment): ServeOptions {
  const host = given(args, environment, 'gateway-host');
  const gatewayPort = given(args, environment, 'gateway-port');
  const uiPort = given(args, environment, 'ui-port');
  const headFile = given(args, environment, 'journal-head-file');
  const overrides: ServeOptions['overrides'] = {
    ...(host && { gatewayHost: gatewayHost(host) }),
    ...(gatewayPort && { gatewayPort: port(gatewayPort) }),
    ...(uiPort && { uiPort: port(uiPort) }),
    ...(headFile && { journalHeadFile: journalHeadFile(headFile) }),
  };
  if (overrides.gatewayPort && overrides.gatewayPort === overrides.uiPort) {
    throw new UsageError(`--gateway-port and --ui-port are both ${overrides.uiPort}; expected two different ports`);
  }
  const demo = args.flags.has('demo');
  if (demo && args.flags.has('data'))
    throw new UsageError('--demo has its own temporary data folder; expected no --data with it');
  return { ...dataOptions(args, environment), overrides, demo };
}

/** Where the hub of a fleet listens; only what is given. */
export function hubOptions({ flags }: Arguments): Partial<HubPlace> {
  const [address, host, natsPort, program] = ['address', 'nats-host', 'nats-port', 'nats-server'].map((name) =>
    flags.get(name),
  );
  const place: Partial<HubPlace> = {
    ...(host !== undefined && { host: gatewayHost({ value: host, source: '--nats-host' }) }),
    ...(natsPort !== undefined && { port: hubPort(natsPort) }),
    ...(program !== undefined && { program: resolve(program) }),
  };
  return address === undefined ? place : { ...place, address: hubAddress(address) };
}

function hubPort(value: string): number {
  const found = port({ value, source: '--nats-port' });
  if (found > 0) return found;
  throw new UsageError('--nats-port is "0"; expected a port from 1 to 65,535, because edges keep it');
}

function hubAddress(value: string): string {
  const [, host = '', digits = ''] = /^(.{1,253}):(\d{1,5})$/.exec(value) ?? [];
  if (URL.canParse(`tls://${value}`) && host !== '' && Number(digits) >= 1 && Number(digits) <= 65_535) {
    const { hostname, username, pathname } = new URL(`tls://${value}`);
    if (hostname !== '' && username === '' && pathname === '') return value;
  }
  throw new UsageError(
    `--address is "${clip(value)}"; expected a host name or IP address and a port, such as hub-1:8092`,
  );
}

interface Given {
  value: string;
  /** The flag or the variable, for the error message. */
  source: string;
}

function given(args: Arguments, environment: Environment, flag: string): Given | null {
  const value = args.flags.get(flag);
  if (value !== undefined) return { value, source: `--${flag}` };
  const twin = `SLUICE_${flag.toUpperCase().replaceAll('-', '_')}`;
  const inherited = environment[twin];
  if (inherited === undefined) return null;
  if (inherited === '') throw new UsageError(`${twin} is empty; expected a value, or the variable not to be set`);
  return { value: inherited, source: twin };
}

function secretStore({ value, source }: Given): SecretStoreChoice {
  const choice = SECRET_STORES.find((name) => name === value);
  if (!choice) throw new UsageError(`${source} is "${clip(value)}"; expected one of ${SECRET_STORES.join(', ')}`);
  return choice;
}

function gatewayHost(given: Given): string {
  return setting(given, settingsSchema.shape.gatewayHost);
}

function journalHeadFile(given: Given): string | null {
  return setting(given, settingsSchema.shape.journalHeadFile);
}

function setting<T>({ value, source }: Given, schema: ZodType<T>): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new UsageError(`${source} is "${clip(value)}"; ${result.error.issues[0]?.message ?? 'it is not valid'}`);
}

function port({ value, source }: Given): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new UsageError(`${source} is "${clip(value)}"; expected a port from 0 to 65,535 (0 = any free one)`);
}

function refuseFile(path: string, source: string): void {
  const entry = entryAt(path);
  if (entry && !entry.isDirectory())
    throw new UsageError(`${source} is "${clip(path)}", which is a file; expected a folder`);
}

function refuseOddPlace(path: string, source: string): void {
  if (!isOddPlace(path)) return;
  throw new UsageError(
    `${source} is "${clip(path)}", which is not on a disk; expected a folder on a disk of this machine`,
  );
}
