/**
 * The third-party plugins of a gateway (docs/spec/sandbox.md#plugins).
 *
 * States of a plugin: loading → loaded → replaced (no new nodes) → closed, when its last node is. A plugin that cannot
 * be loaded (other files than approved, a module that fails to evaluate, a kind that already exists) is reported with
 * the reason and does not prevent others from loading. Limits: LOAD_MS_MAX for evaluating a module in the sandbox.
 * Security: only approved plugins are loaded; the bytes are checked against their approval before they are run.
 */
import type { KindManifest } from '#common/control/messages.ts';
import type { PluginLoad, PluginManifest, PluginState } from '#common/model/plugin-manifest.ts';
import type { Logger } from '#common/node/log.ts';
import type { NodeKind } from '#sdk';
import type { OpenPluginCode, PluginCode } from './plugin-code.ts';
import { type CodeLease, pluginKind, pluginKindManifest } from './plugin-kind.ts';
import { verifiedCode } from './verify-plugin.ts';

export interface PluginSetParts {
  /** IDs of the built-in kinds: plugins cannot use them. */
  readonly shipped: ReadonlySet<string>;
  openSandboxed: OpenPluginCode;
  openTrusted: OpenPluginCode;
  readonly log: Logger;
}

export interface PluginKinds {
  readonly kinds: readonly NodeKind[];
  readonly manifests: readonly KindManifest[];
  readonly states: readonly PluginState[];
}

class LoadedPlugin {
  readonly load: PluginLoad;
  readonly kinds: readonly NodeKind[];
  readonly #code: PluginCode;
  /** Number of nodes by project. */
  readonly #nodes = new Map<string, number>();
  #replaced = false;

  constructor(load: PluginLoad, code: PluginCode) {
    this.load = load;
    this.#code = code;
    this.kinds = load.manifest.kinds.map((kind) => pluginKind(load.manifest, kind, (project) => this.#lease(project)));
  }

  /** No new nodes; the code is released with the last one. */
  async replace(): Promise<void> {
    this.#replaced = true;
    if (this.#nodes.size === 0) await this.#code.close();
  }

  #lease(project: string): CodeLease {
    this.#nodes.set(project, (this.#nodes.get(project) ?? 0) + 1);
    return { code: this.#code, giveBack: () => this.#giveBack(project) };
  }

  async #giveBack(project: string): Promise<void> {
    const left = (this.#nodes.get(project) ?? 0) - 1;
    if (left > 0) return void this.#nodes.set(project, left);
    this.#nodes.delete(project);
    this.#code.leave(project);
    if (this.#replaced && this.#nodes.size === 0) await this.#code.close();
  }
}

export class PluginSet {
  readonly #parts: PluginSetParts;
  #plugins: readonly LoadedPlugin[] = [];

  constructor(parts: PluginSetParts) {
    this.#parts = parts;
  }

  /** Sets the plugins to exactly these; unchanged ones stay loaded. */
  async configure(loads: readonly PluginLoad[]): Promise<PluginKinds> {
    const next: LoadedPlugin[] = [];
    const states: PluginState[] = [];
    const taken = new Set(this.#parts.shipped);
    for (const load of loads) {
      const result = await this.#open(load, taken);
      states.push(stateOf(load, typeof result === 'string' ? result : null));
      if (typeof result === 'string') continue;
      next.push(result);
      for (const { id } of load.manifest.kinds) taken.add(id);
    }
    const before = this.#plugins;
    this.#plugins = next;
    for (const plugin of before) if (!next.includes(plugin)) await plugin.replace();
    return {
      kinds: next.flatMap(({ kinds }) => kinds),
      manifests: next.flatMap(({ load: { manifest } }) => manifestsOf(manifest)),
      states,
    };
  }

  async close(): Promise<void> {
    const plugins = this.#plugins;
    this.#plugins = [];
    for (const plugin of plugins) await plugin.replace();
  }

  /** The plugin, or the reason why there is none. */
  async #open(load: PluginLoad, taken: ReadonlySet<string>): Promise<LoadedPlugin | string> {
    const same = this.#plugins.find((plugin) => sameLoad(plugin.load, load));
    if (same !== undefined) return same;
    const clash = load.manifest.kinds.find(({ id }) => taken.has(id));
    if (clash !== undefined) return `there is a node kind "${clash.id}" already`;
    try {
      const code = await verifiedCode(load);
      const open = load.manifest.trusted ? this.#parts.openTrusted : this.#parts.openSandboxed;
      return new LoadedPlugin(load, await open(code, load.manifest));
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'it threw something that is not an error';
      this.#parts.log.error('a plugin was not loaded', { plugin: load.id, reason });
      return reason;
    }
  }
}

function sameLoad(a: PluginLoad, b: PluginLoad): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function manifestsOf(manifest: PluginManifest): KindManifest[] {
  return manifest.kinds.map((kind) => pluginKindManifest(manifest, kind));
}

function stateOf({ id, manifest }: PluginLoad, reason: string | null): PluginState {
  return { id, version: manifest.version, loaded: reason === null, reason };
}
