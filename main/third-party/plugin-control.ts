import type { PipelineStart } from '#common/control/messages.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { Logger } from '#common/node/log.ts';
import type { GatewayLink } from '../contracts.ts';
import type { ApprovedPlugin, PluginRecord } from '#common/contract/plugin-records.ts';
import { createSerialQueue } from '#common/serial-queue.ts';
import { type GatewayPlugins, recordOf } from './plugin-record.ts';
import type { PluginStore } from './plugin-store.ts';
import type { PluginPackage } from './read-package.ts';

/**
 * Plugins as users manage them: applies the stored ones in the gateway. An approval or a removal is in effect when its
 * call returns; if the gateway refuses it, it is undone. Files are removed only when no version needs them any more.
 * Limits: one change at a time, WAITING_MAX more wait.
 */
export interface PluginControl {
  /** Every version, by ID; the approved one before the waiting one. */
  list(): PluginRecord[];
  /** Stores a version as waiting. Nothing of it is used before its approval. */
  add(bundle: PluginPackage, by: string): Promise<PluginRecord>;
  /** `confirm`: for trusted code `trust <id>`. Throws SluiceError `unknown`, `conflict`, `invalid`. */
  approve(id: string, digest: string, confirm: string | null, by: string): Promise<ApprovedPlugin>;
  /** Throws SluiceError `unknown`; `conflict` while a running pipeline uses one of its kinds. */
  remove(id: string): Promise<void>;
}

export interface PluginControlParts {
  readonly store: PluginStore;
  /** Null if plugins cannot run: a command on the files of a data folder. */
  readonly gateway: Pick<GatewayLink, 'change' | 'plugins' | 'state' | 'failed'> | null;
  /** Every pipeline that should run. */
  wanted(): readonly PipelineStart[];
  /** Pipelines that the gateway was asked to run and that are not running yet. */
  starting(): readonly PipelineStart[];
  readonly log: Logger;
}

const WAITING_MAX = 16;

export function createPluginControl({ store, gateway, wanted, starting, log }: PluginControlParts): PluginControl {
  const turns = createSerialQueue(
    WAITING_MAX,
    () => new SluiceError('conflict', 'Too many changes of plugins are waiting; try again.'),
  );
  const states = (): GatewayPlugins => (gateway === null || gateway.state === 'dead' ? null : gateway.plugins);
  const publish = async (): Promise<void> => gateway?.change({ kind: 'plugins', plugins: store.loads() });
  const recordBy = (id: string, digest: string): PluginRecord => {
    const found = store.list().find((plugin) => plugin.id === id && plugin.digest === digest);
    if (found === undefined)
      throw new SluiceError('unknown', `There is no plugin "${id.slice(0, 64)}" of that digest.`);
    return recordOf(found, states());
  };

  /** Runs `act`, has the gateway apply it, and undoes it if the gateway refuses. */
  async function inForce(id: string, act: () => Promise<unknown>): Promise<void> {
    const before = store.list().filter((plugin) => plugin.id === id);
    await act();
    try {
      await publish();
    } catch (error) {
      await store.putBack(id, before);
      await publish().catch((again: unknown) =>
        log.error('the former plugins could not be restored in the gateway', { plugin: id, error: again }),
      );
      throw error;
    }
    await store
      .sweep()
      .catch((error: unknown) => log.error('the files of a former plugin could not be removed', { plugin: id, error }));
  }

  return {
    list: () => store.list().map((plugin) => recordOf(plugin, states())),
    add: (bundle, by) =>
      turns.take(async () => {
        const { id, digest, approvedAt } = await store.add(bundle, by);
        // Already approved: its files are intact again, so the gateway can load the plugin that it refused.
        if (approvedAt !== null) await publish();
        return recordBy(id, digest);
      }),
    approve: (id, digest, confirm, by) =>
      turns.take(async () => {
        const before = store.list().filter((plugin) => plugin.id === id && plugin.approvedAt !== null);
        const isUpdate = before.some((plugin) => plugin.digest !== digest);
        const kinds = kindsOf(store, id);
        await inForce(id, () => store.approve(id, digest, confirm, by));
        const users = isUpdate && gateway !== null ? usersOf(kinds, running(wanted(), gateway.failed)) : [];
        return { ...recordBy(id, digest), restart: users };
      }),
    remove: (id) =>
      turns.take(async () => {
        const starts = [...running(wanted(), gateway?.failed ?? []), ...starting()];
        refuseWhileUsed(id, kindsOf(store, id), starts);
        await inForce(id, () => store.remove(id));
      }),
  };
}

function kindsOf(store: PluginStore, id: string): ReadonlySet<string> {
  const versions = store.list().filter((plugin) => plugin.id === id);
  return new Set(versions.flatMap(({ manifest }) => manifest.kinds.map((kind) => kind.id)));
}

/** A pipeline that failed to start uses nothing, although it should run: often because this plugin is missing. */
function running(wanted: readonly PipelineStart[], failed: GatewayLink['failed']): readonly PipelineStart[] {
  return wanted.filter(
    ({ project, definition }) => !failed.some((one) => one.project === project && one.pipeline === definition.id),
  );
}

const USERS_LISTED_MAX = 5;

function usersOf(kinds: ReadonlySet<string>, starts: readonly PipelineStart[]): ApprovedPlugin['restart'] {
  return starts
    .filter(({ definition }) => definition.nodes.some(({ kind }) => kinds.has(kind)))
    .map(({ project, definition }) => ({ project, pipeline: definition.id }));
}

function refuseWhileUsed(id: string, kinds: ReadonlySet<string>, starts: readonly PipelineStart[]): void {
  const users = usersOf(kinds, starts).map(({ project, pipeline }) => `"${pipeline}" of project "${project}"`);
  if (users.length === 0) return;
  const more = users.length > USERS_LISTED_MAX ? ` and ${users.length - USERS_LISTED_MAX} more` : '';
  const shown = users.slice(0, USERS_LISTED_MAX).join(', ');
  const noun = users.length === 1 ? 'the running pipeline' : 'the running pipelines';
  const it = users.length === 1 ? 'it' : 'them';
  throw new SluiceError('conflict', `The plugin ${id} is used by ${noun} ${shown}${more}; stop ${it} first.`);
}
