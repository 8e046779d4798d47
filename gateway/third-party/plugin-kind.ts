import type { KindManifest } from '#common/control/messages.ts';
import type { PluginKind, PluginManifest } from '#common/model/plugin-manifest.ts';
import {
  attempt,
  defineKind,
  type NodeInstance,
  NodeError,
  type NodeKind,
  readSchema,
  schemaCheck,
  withPayload,
  z,
} from '#sdk';
import type { PluginCode } from './plugin-code.ts';

/** Provides the code to a node for as long as the node exists. */
export interface CodeLease {
  readonly code: PluginCode;
  /** Called once, when the node is closed. */
  giveBack(): void | Promise<void>;
}

/** A node kind as declared by its plugin. Throws RangeError if the schema of its settings cannot be used. */
export function pluginKind(
  manifest: PluginManifest,
  kind: PluginKind,
  lease: (project: string) => CodeLease,
): NodeKind {
  const { id, title, summary, category, ports, scopes, examples } = kind;
  return defineKind({
    id,
    version: manifest.version,
    title,
    summary,
    category,
    settings: settingsSchema(kind),
    ports,
    scopes,
    examples: examples.map((example) => ({ ...example, payload: example.payload ?? null })),
    create: (settings, { project }) => pluginNode(manifest, kind, settings, { project, ...lease(project) }),
  });
}

/** For host and UI: the schema is that of the plugin. */
export function pluginKindManifest(manifest: PluginManifest, kind: PluginKind): KindManifest {
  const { id, title, summary, category, ports, scopes, settings, examples } = kind;
  return {
    id,
    version: manifest.version,
    title,
    summary,
    category,
    input: true,
    ports,
    scopes,
    settings,
    examples,
    plugin: manifest.id,
  };
}

const FAULTS_MAX = 20;

function settingsSchema({ settings }: PluginKind): z.ZodType {
  const check = schemaCheck(readSchema(settings));
  return z.unknown().transform((given, context) =>
    attempt(() => {
      for (const fault of (check(given) ?? []).slice(0, FAULTS_MAX)) {
        const path = fault.instancePath.split('/').slice(1);
        context.addIssue({ code: 'custom', path, message: `the setting ${fault.message ?? 'is not valid'}` });
      }
      return given;
    }, context),
  );
}

interface Place extends CodeLease {
  readonly project: string;
}

function pluginNode(manifest: PluginManifest, kind: PluginKind, settings: unknown, place: Place): NodeInstance {
  const reach = { id: manifest.id, targets: manifest.targets };
  return {
    async run(message, run) {
      const capabilities = run.capabilities.asPlugin(reach).limitedTo(kind.scopes);
      const { project, code } = place;
      const result = await code.call(kind.id, message, settings, { project, signal: run.signal, capabilities });
      const read = readResult(result, kind);
      return read === null ? undefined : { port: read.port, message: withPayload(message, read.payload) };
    },
    close: () => place.giveBack(),
  };
}

/** `{ payload, port? }`; null or nothing ends this path. */
function readResult(result: unknown, { ports }: PluginKind): { port: string; payload: unknown } | null {
  if (result === null || result === undefined) return null;
  if (typeof result !== 'object' || !('payload' in result))
    throw invalidResult(`expected { payload } or { port, payload }, or nothing`);
  const port = 'port' in result ? result.port : 'out';
  if (typeof port !== 'string' || !ports.includes(port))
    throw invalidResult(`expected the port to be one of ${ports.join(', ')}`);
  return { port, payload: result.payload };
}

function invalidResult(expected: string): NodeError {
  return new NodeError('plugin_failed', `the plugin's function returned something else than it may: ${expected}`);
}
