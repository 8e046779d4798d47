/**
 * Variables (docs/spec/capabilities.md#variables): JSON values of a project, in
 * `<data>/projects/<project>/variables.sqlite`.
 *
 * States of a project's file: absent → open (at the first call) → closed (by the limit, or at the end) → removed (the
 * project was deleted). If a file cannot be opened, its calls fail, and each one tries again; the file is never
 * replaced. Limits: FILES_OPEN_MAX open files, of which the least recently used one is closed; limits per project:
 * variable-store.ts. Security: 0600 in a folder of 0700; no value is ever logged.
 */
import { join } from 'node:path';
import type { CallArgs } from '#common/capabilities/calls.ts';
import { PROJECT_ID } from '#common/model/ids.ts';
import type { Logger } from '#common/node/log.ts';
import { isDiskFull } from '#common/node/needs-room.ts';
import type { DiskRoom } from '../disk-meter.ts';
import { NodeError } from '#sdk';
import type { CallContext, Capability } from '../contract.ts';
import { removeVariablesFile } from './database.ts';
import { VariableStore } from './variable-store.ts';

export const FILES_OPEN_MAX = 64;

export interface VariableParts {
  readonly dataDir: string;
  readonly log: Logger;
  readonly disk: DiskRoom;
}

export type VariableCalls =
  'vars.get' | 'vars.set' | 'vars.increment' | 'vars.compareAndSet' | 'vars.list' | 'vars.remove';

/**
 * Calls throw NodeError `variable_invalid`, `variable_too_large`, `variables_full`, `disk_reserve`,
 * `variable_not_number`, `variables_unavailable` (the file cannot be read or written; the log has the reason).
 */
export function createVariables({ dataDir, log, disk }: VariableParts): Capability<VariableCalls> {
  const stores = new OpenStores(dataDir, disk);

  function using<T>({ project, pipeline }: Caller, work: (store: VariableStore) => T): T {
    try {
      return work(stores.of(project, pipeline));
    } catch (error) {
      if (error instanceof NodeError) throw error;
      if (isDiskFull(error))
        throw new NodeError('disk_reserve', 'the disk is full; nothing is stored', { cause: error });
      log.error('the variables of a project are not available', { project, error });
      throw new NodeError('variables_unavailable', 'the variables of this project cannot be read or written now', {
        cause: error,
      });
    }
  }

  const rehearsing: typeof using = (caller, work) => using(caller, (store) => store.rehearse(work));

  const changes = (within: typeof using) => ({
    'vars.set': ({ name, value }: CallArgs<'vars.set'>, context: CallContext) =>
      within(context, (store) => {
        store.set(name, value);
        return null;
      }),
    'vars.increment': ({ name, by }: CallArgs<'vars.increment'>, context: CallContext) =>
      within(context, (store) => store.increment(name, by)),
    'vars.compareAndSet': ({ name, expected, value }: CallArgs<'vars.compareAndSet'>, context: CallContext) =>
      within(context, (store) => store.compareAndSet(name, expected, value)),
    'vars.remove': ({ name }: CallArgs<'vars.remove'>, context: CallContext) =>
      within(context, (store) => store.remove(name)),
  });

  return {
    calls: {
      'vars.get': ({ name }, context) => using(context, (store) => store.get(name)),
      'vars.list': ({ prefix }, context) => using(context, (store) => store.list(prefix)),
      ...changes(using),
    },
    rehearsals: changes(rehearsing),
    known(project, name) {
      try {
        return { value: stores.of(project, '').get(name) };
      } catch {
        // The call itself reports it.
        return null;
      }
    },
    configure(project, resources) {
      if (resources === null) stores.remove(project);
    },
    close() {
      stores.close();
      return Promise.resolve();
    },
  };
}

type Caller = Pick<CallContext, 'project' | 'pipeline'>;

/** The open files, the most recently used one last. */
class OpenStores {
  readonly #dataDir: string;
  readonly #disk: DiskRoom;
  readonly #open = new Map<string, VariableStore>();
  #closed = false;
  /** The pipeline that makes the current change; the calls of a store are synchronous. */
  #pipeline = '';

  constructor(dataDir: string, disk: DiskRoom) {
    this.#dataDir = dataDir;
    this.#disk = disk;
  }

  of(project: string, pipeline: string): VariableStore {
    if (this.#closed) throw new Error('the gateway is ending');
    this.#pipeline = pipeline;
    const store = this.#open.get(project) ?? this.#store(project);
    this.#open.delete(project);
    this.#open.set(project, store);
    for (const [other] of this.#open) {
      if (this.#open.size <= FILES_OPEN_MAX) break;
      this.#shut(other);
    }
    return store;
  }

  #store(project: string): VariableStore {
    return new VariableStore(this.#file(project), (bytes) => {
      this.#disk.expectRoom(project, bytes);
      this.#disk.grew(project, 'variables', bytes, this.#pipeline);
    });
  }

  remove(project: string): void {
    this.#shut(project);
    removeVariablesFile(this.#file(project));
  }

  close(): void {
    this.#closed = true;
    for (const project of this.#open.keys()) this.#shut(project);
  }

  #shut(project: string): void {
    this.#open.get(project)?.close();
    this.#open.delete(project);
  }

  #file(project: string): string {
    if (!PROJECT_ID.test(project)) throw new Error(`"${project.slice(0, 64)}" is no project id`);
    return join(this.#dataDir, 'projects', project, 'variables.sqlite');
  }
}
