import { tagDefinition, type TagDefinition, type TagQuality } from '#common/model/tag.ts';
import { type ConnectionDefinition, connectionDefinition } from '#common/model/connection.ts';
import { NO_RESOURCES } from '#common/model/resources.ts';
import { createLogger, type Logger } from '#common/node/log.ts';
import { TargetGuard } from '#net/target-guard.ts';
import { callContext } from '../call-context.testing.ts';
import type { CallContext } from '../contract.ts';
import { ENDLESS_DISK } from '../disk-room.testing.ts';
import { CapabilityBroker } from '../capability-broker.ts';
import type { ProviderParts, TagProvider, TagSink } from './contract.ts';
import type { DeviceProviders, TagDisk } from './providers.ts';
import { createTags, type LiveTags, type TagCalls } from './tags.ts';

/** A provider whose samples and write results come from a test. */
export interface HandFed extends TagProvider {
  readonly settings: unknown;
  readonly sink: TagSink;
  /** Paths of each `configure`. */
  readonly configured: string[][];
  readonly written: { path: string; value: unknown }[];
  closed: boolean;
  /** Thrown by writes while it is set. */
  refuse: Error | null;
  give(path: string, value: unknown, more?: { quality?: TagQuality; reason?: string; time?: number }): void;
}

export function handFed(settings: unknown, { sink }: ProviderParts): HandFed {
  const provider: HandFed = {
    settings,
    sink,
    configured: [],
    written: [],
    closed: false,
    refuse: null,
    configure: (tags) => void provider.configured.push(tags.map(({ path }) => path)),
    async write({ path }, value) {
      if (provider.refuse !== null) throw provider.refuse;
      provider.written.push({ path, value });
    },
    async close() {
      provider.closed = true;
    },
    give: (path, value, { quality = 'good', reason = '', time = Date.now() } = {}) =>
      sink.sample(path, { value, quality, reason: reason === '' ? null : reason, time }),
  };
  return provider;
}

export interface TagsWorld {
  readonly tags: LiveTags;
  /** Created providers, in order. */
  readonly devices: HandFed[];
  /** Logged lines. */
  readonly lines: string[];
  configure(tags: readonly TagDefinition[], connections?: readonly ConnectionDefinition[]): void;
  /** Through the broker, with every scope. */
  call(name: TagCalls, args: unknown): Promise<unknown>;
  device(): HandFed;
}

/** Tags of the project `line-1`; MQTT connections use providers that are controlled by the test. */
export function tagsWorld(dataDir: string, providers: DeviceProviders = {}, disk: TagDisk = ENDLESS_DISK): TagsWorld {
  const devices: HandFed[] = [];
  const lines: string[] = [];
  const log: Logger = createLogger('test', (line) => void lines.push(line));
  const tags = createTags({
    dataDir,
    guard: new TargetGuard([]),
    disk,
    log,
    providers: {
      mqtt(connection, parts) {
        const made = handFed(connection, parts);
        devices.push(made);
        return made;
      },
      ...providers,
    },
  });
  const door = new CapabilityBroker([tags]);
  return {
    tags,
    devices,
    lines,
    configure: (definitions, connections = [BROKER]) =>
      void tags.configure?.('line-1', {
        ...NO_RESOURCES('line-1'),
        tags: [...definitions],
        connections: [...connections],
      }),
    call: (name, args) => door.call(everyScope(), name, args as never),
    device() {
      const device = devices.at(-1);
      if (device === undefined) throw new Error('no provider was made yet');
      return device;
    },
  };
}

function everyScope(): CallContext {
  return callContext({ project: 'line-1' });
}

export const broker = (settings: object = {}): ConnectionDefinition =>
  connectionDefinition.parse({ id: 'plant', settings: { kind: 'mqtt', host: '10.0.0.7', ...settings } });
export const BROKER = broker();

/** A tag whose values come from the test. */
export const fed = (path: string, more: object = {}): TagDefinition =>
  tagDefinition.parse({
    path,
    type: 'number',
    source: { provider: 'mqtt', connection: 'plant', topic: path },
    ...more,
  });

export const memory = (path: string, more: object = {}, initial: unknown = null): TagDefinition =>
  tagDefinition.parse({ path, type: 'number', writable: true, source: { provider: 'memory', initial }, ...more });
