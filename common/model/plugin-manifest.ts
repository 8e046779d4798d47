import { z } from 'zod';
import { SCOPES } from '../scopes.ts';
import { projectId } from './ids.ts';
import { expected } from '../errors/rules.ts';
import { textUpTo } from './bounds.ts';

/**
 * The declaration of a third-party plugin in `sluice-plugin.json` (docs/spec/sandbox.md#plugins). An administrator
 * approves the manifest and the bytes of every file; the plugin never gets a capability that is not declared here.
 */
export const PLUGIN_MANIFEST_FILE = 'sluice-plugin.json';
export const PLUGIN_KINDS_MAX = 50;
export const PLUGINS_MAX = 100;
export const PLUGIN_FILES_MAX = 200;
export const PLUGIN_BYTES_MAX = 20 * 1024 * 1024;

const SCOPE_EXPECTED = expected('one_of', { values: SCOPES });
const scopes = z.array(z.enum(SCOPES, { error: SCOPE_EXPECTED }), { error: SCOPE_EXPECTED }).default([]);
/**
 * An administrator reads these texts before the approval, possibly in a terminal: a line feed, an escape sequence or a
 * change of text direction could hide the requested rights, or show different ones.
 */
const ONE_LINE = /^[^\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*$/u;
const line = (max: number) => textUpTo(max).regex(ONE_LINE, 'expected one line, without control characters');
const text = (max: number) => line(max).min(1, expected('text'));
const fileName = z
  .string({ error: expected('form', { what: 'a file name', example: 'index.js' }) })
  .regex(
    /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}){0,4}$/,
    expected('form', { what: 'a file name', example: 'index.js' }),
  );

const pluginKind = z.strictObject({
  id: projectId,
  title: text(64),
  summary: text(200),
  category: z.enum(['http', 'flow', 'data', 'script', 'plant', 'diagnostics']).default('data'),
  /** Output ports; every kind has `error` in addition. */
  ports: z
    .array(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, expected('form', { what: 'the name of a port,', example: 'out' })))
    .min(1, expected('one_at_least', { of: 'port' }))
    .max(20, expected('count_max', { max: 20, of: 'ports' }))
    .default(['out']),
  /** The plugin's capabilities that its nodes use; `check` reports missing ones to authors. */
  scopes,
  /** JSON Schema (2020-12) of an object: the settings of a node, from which the editor generates its form. */
  settings: z
    .record(z.string(), z.unknown(), { error: 'expected a JSON Schema of an object' })
    .default({ type: 'object' }),
  /** Seconds of computing time per message; time spent waiting for capabilities is not counted. */
  deadline: z
    .number({ error: expected('range', { what: 'seconds', from: 0.1, to: 60 }) })
    .min(0.1)
    .max(60)
    .default(1),
  examples: z
    .array(
      z.strictObject({
        title: text(100),
        settings: z.record(z.string(), z.unknown()).default({}),
        payload: z.unknown(),
        expect: z.union([
          z.strictObject({ port: z.string(), payload: z.unknown() }),
          z.strictObject({ error: z.string() }),
        ]),
      }),
    )
    .max(20, expected('count_max', { max: 20, of: 'examples' }))
    .default([]),
});

export const pluginManifest = z
  .strictObject({
    id: projectId,
    name: text(64),
    version: z
      .string({ error: expected('form', { what: 'a version', example: '1.0.0' }) })
      .regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/, expected('form', { what: 'a version', example: '1.0.0' })),
    publisher: line(100).default(''),
    /** One bundled ES module. Its default export maps each kind's id to `(message, settings) => result`. */
    main: fileName.default('index.js'),
    kinds: z
      .array(pluginKind)
      .min(1, expected('one_at_least', { of: 'kind' }))
      .max(PLUGIN_KINDS_MAX, expected('count_max', { max: PLUGIN_KINDS_MAX, of: 'kinds' })),
    capabilities: scopes,
    /** Targets of `http.request`: `host:port` each. */
    targets: z
      .array(
        z
          .string()
          .regex(
            /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\]):\d{1,5}$/,
            expected('form', { what: 'host:port', example: 'api.example.com:443' }),
          ),
      )
      .max(50, expected('count_max', { max: 50, of: 'targets' }))
      .default([]),
    /**
     * Requests to run in the gateway with full access to Node. Needs a typed confirmation; a permanent notice names the
     * plugin.
     */
    trusted: z.boolean({ error: expected('true_or_false') }).default(false),
  })
  .superRefine((manifest, context) => {
    for (const [index, kind] of manifest.kinds.entries()) {
      const lacking = kind.scopes.find((scope) => !manifest.capabilities.includes(scope));
      if (lacking !== undefined)
        context.addIssue({
          code: 'custom',
          path: ['kinds', index, 'scopes'],
          message: `${lacking} is not among the plugin's capabilities; expected it there too`,
        });
      if (manifest.kinds.findIndex((other) => other.id === kind.id) !== index)
        context.addIssue({
          code: 'custom',
          path: ['kinds', index, 'id'],
          message: `two kinds have the id "${kind.id}"`,
        });
    }
  });

export type PluginManifest = z.infer<typeof pluginManifest>;
export type PluginKind = PluginManifest['kinds'][number];

/** A plugin as the gateway receives it: approved, with the SHA-256 (hex) of each file at the time of the approval. */
export interface PluginLoad {
  id: string;
  /** The absolute path of its folder. */
  folder: string;
  files: Record<string, string>;
  manifest: PluginManifest;
}

/** The state of a plugin in the gateway. `reason` is null if the plugin is loaded. */
export interface PluginState {
  id: string;
  version: string;
  loaded: boolean;
  reason: string | null;
}
