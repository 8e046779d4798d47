import type { PluginManifest } from '#common/model/plugin-manifest.ts';
import { type Capabilities, type Message, NodeError } from '#sdk';

/** Runs a plugin's functions, in the sandbox or (trusted) in the gateway itself. */
export interface PluginCode {
  /** Calls the function of a kind; throws NodeError. */
  call(kind: string, message: Message, settings: unknown, run: PluginRun): Promise<unknown>;
  /** The plugin no longer has nodes in that project. */
  leave(project: string): void;
  close(): void | Promise<void>;
}

export interface PluginRun {
  /** Id of the project that it runs for. */
  readonly project: string;
  readonly signal: AbortSignal;
  readonly capabilities: Capabilities;
}

/** Loads the module of a plugin; throws if it is not one, or if the function of a kind is missing. */
export type OpenPluginCode = (code: Uint8Array, manifest: PluginManifest) => Promise<PluginCode>;

/**
 * Trusted code: the module runs in the gateway with all rights of Node. It is imported from the exact bytes that were
 * checked; all its imports except Node's own modules must be bundled into it.
 */
export async function openTrustedCode(code: Uint8Array, manifest: PluginManifest): Promise<PluginCode> {
  const url = `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`;
  const functions = functionsOf(await import(url), manifest);
  return {
    async call(kind, message, settings, run) {
      const perform = functions.get(kind);
      if (perform === undefined) throw new NodeError('plugin_failed', `the plugin has no kind "${kind}"`);
      const result: unknown = await perform(message, settings, run);
      return result;
    },
    leave: () => undefined,
    close: () => undefined,
  };
}

type PluginFunction = (message: Message, settings: unknown, run: PluginRun) => unknown;

function functionsOf(module: unknown, manifest: PluginManifest): ReadonlyMap<string, PluginFunction> {
  const exported = isObject(module) ? module['default'] : undefined;
  if (!isObject(exported)) throw new Error('its main file has no default export that maps kinds to functions');
  const found = manifest.kinds.map(({ id }) => {
    const perform = Object.hasOwn(exported, id) ? exported[id] : undefined;
    if (!isFunction(perform)) throw new Error(`its main file has no function for the kind "${id}"`);
    return [id, perform] as const;
  });
  return new Map(found);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isFunction(value: unknown): value is PluginFunction {
  return typeof value === 'function';
}
