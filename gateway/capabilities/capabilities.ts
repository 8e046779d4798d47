import type { ProjectResources } from '#common/model/resources.ts';
import type { Settings } from '#common/model/settings.ts';
import type { Logger } from '#common/node/log.ts';
import type { ScriptService } from '#sdk';
import { TargetGuard } from '../net/target-guard.ts';
import type { Capability } from './contract.ts';
import { Door } from './door.ts';
import { callForPerson } from './for-person.ts';
import { MessageBus, messageCapability } from './messages/bus.ts';
import { NO_TAGS } from './tags/no-tags.ts';
import type { Tags } from './tags/contract.ts';

export interface CapabilityParts {
  readonly dataDir: string;
  readonly settings: Settings;
  readonly scripts: ScriptService;
  readonly log: Logger;
  /** A copy that shares nothing with its original; throws NodeError when there is none. */
  copy(payload: unknown): unknown;
}

/** Everything behind the door, and the door. */
export interface CapabilitySet {
  readonly door: Door;
  readonly bus: MessageBus;
  readonly tags: Tags;
  readonly guard: TargetGuard;
  /** A call for a person (behaviour 10), by the same door with every scope. */
  forPerson(project: string, name: string, args: unknown): Promise<unknown>;
  /** A project's resources as they are now; null = the project is gone. */
  configure(project: string, resources: ProjectResources | null): Promise<void>;
  settings(settings: Settings): void;
  close(): Promise<void>;
}

export function openCapabilities(parts: CapabilityParts): CapabilitySet {
  const guard = new TargetGuard(parts.settings.allowedInternalTargets);
  const bus = new MessageBus();
  const capabilities: Capability<never>[] = [messageCapability(bus, parts.copy), logCapability];
  const door = new Door(capabilities);
  return {
    door,
    bus,
    tags: NO_TAGS,
    guard,
    forPerson: (project, name, args) => callForPerson(door, parts.log, project, name, args),
    async configure(project, resources) {
      for (const capability of capabilities) await capability.configure?.(project, resources);
    },
    settings: (settings) => guard.configure(settings.allowedInternalTargets),
    async close() {
      for (const capability of capabilities.toReversed()) await capability.close();
    },
  };
}

const logCapability: Capability<'log'> = {
  calls: {
    log: ({ message, level }, context) => {
      context.log(level, message);
      return null;
    },
  },
  close: () => Promise.resolve(),
};
