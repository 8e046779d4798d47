import type { NodeCode } from '#common/errors/node-codes.ts';
import type { PluginManifest } from '#common/model/plugin-manifest.ts';
import { NodeError } from '#sdk';
import type { IsolatedModule, Sandbox } from '../sandbox/contract.ts';
import type { OpenPluginCode, PluginCode } from './plugin-code.ts';

/** For the code that a module runs when it is loaded; a function has the deadline of its kind. */
const LOAD_SECONDS_MAX = 2;
const DEADLINE_SECONDS = 1;

/**
 * Ordinary plugins: the module runs in the sandbox, in a worker thread of this plugin, with an instance for each
 * project (docs/spec/sandbox.md#plugins).
 */
export function sandboxedCode(sandbox: Pick<Sandbox, 'compileIsolated'>): OpenPluginCode {
  return async (bytes, manifest) => {
    const text = textOf(bytes, manifest);
    const kinds = manifest.kinds.map(({ id }) => id);
    const options = { deadlineSeconds: LOAD_SECONDS_MAX, name: `plugin ${manifest.id}`, kinds };
    return pluginCode(await sandbox.compileIsolated(text, options).catch(refused(manifest)), manifest);
  };
}

function refused({ main }: PluginManifest): (cause: unknown) => never {
  return (cause) => {
    const reason = cause instanceof Error ? cause.message : 'it could not be loaded';
    throw new Error(`its main file ${main}: ${reason}`, { cause });
  };
}

function textOf(bytes: Uint8Array, { main }: PluginManifest): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Error(`its main file ${main} is not UTF-8 text`, { cause });
  }
}

function pluginCode(module: IsolatedModule, { kinds }: PluginManifest): PluginCode {
  const deadlines = new Map(kinds.map(({ id, deadline }) => [id, deadline]));
  return {
    async call(kind, message, settings, run) {
      const deadlineSeconds = deadlines.get(kind) ?? DEADLINE_SECONDS;
      try {
        return await module.call(kind, [message, settings], { ...run, deadlineSeconds });
      } catch (error) {
        throw asPluginError(error);
      }
    },
    leave: (project) => module.leave(project),
    close: () => module.close(),
  };
}

/**
 * Codes of the sandbox for scripts, and the corresponding ones for plugins; a refused or failed capability call keeps
 * its own code.
 */
const CODES: ReadonlyMap<NodeCode, NodeCode> = new Map([
  ['script_failed', 'plugin_failed'],
  ['script_deadline', 'plugin_deadline'],
  ['script_memory', 'plugin_memory'],
  ['script_stalled', 'plugin_stalled'],
  ['script_overloaded', 'plugin_overloaded'],
  ['script_cancelled', 'plugin_cancelled'],
]);

function asPluginError(error: unknown): unknown {
  const code = error instanceof NodeError ? CODES.get(error.code) : undefined;
  if (code === undefined || !(error instanceof NodeError)) return error;
  return new NodeError(code, error.message, { cause: error });
}
