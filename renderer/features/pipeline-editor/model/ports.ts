import type { KindManifest } from '#common/control/messages.ts';
import type { DraftNode, Settings } from './draft.ts';

/** By ID. If a node's kind is not in it, its plugin is missing. */
export type Kinds = ReadonlyMap<string, KindManifest>;

export const ERROR_PORT = 'error';

export interface Ports {
  /** False: a path begins here (a route, a trigger), and no wire leads into it. */
  input: boolean;
  /** In display order; without `error`. */
  outs: readonly string[];
  /** Every node with an input has the port `error`. */
  error: boolean;
}

const NONE: Ports = { input: true, outs: [], error: true };

/**
 * The ports that can be wired, as in the gateway. For a missing kind only its wired ports are known: see `wiredPorts`.
 */
export function portsOf({ kind, settings }: Pick<DraftNode, 'kind' | 'settings'>, kinds: Kinds): Ports {
  const manifest = kinds.get(kind);
  if (manifest === undefined) return NONE;
  const mode = manifest.modes?.[modeOf(manifest, settings)];
  const input = mode?.input ?? manifest.input;
  const outs = [...casePorts(settings), ...keptPorts(mode?.ports ?? manifest.ports, settings)];
  return { input, outs: [...new Set(outs)], error: input };
}

/** Ports in display order, including those that are known only from wires (of a missing kind). */
export function drawnOuts(node: DraftNode, kinds: Kinds, wired: readonly string[]): readonly string[] {
  const { outs } = portsOf(node, kinds);
  return [...new Set([...outs, ...wired.filter((port) => port !== ERROR_PORT)])];
}

/** The default mode is the first one, as a REST API node without a mode is an ingress. */
function modeOf({ modes = {} }: KindManifest, settings: Settings): string {
  const written = settings['mode'];
  return typeof written === 'string' && written in modes ? written : (Object.keys(modes)[0] ?? '');
}

/** A call that is not stored is never queued. */
function keptPorts(ports: readonly string[], { storeAndForward }: Settings): readonly string[] {
  return storeAndForward === false ? ports.filter((port) => port !== 'queued') : ports;
}

/** A kind with cases (Switch) has a port for each. */
function casePorts({ cases }: Settings): string[] {
  if (!Array.isArray(cases)) return [];
  return cases.flatMap((one: unknown) =>
    typeof one === 'object' && one !== null && 'port' in one && typeof one.port === 'string' && one.port !== ''
      ? [one.port]
      : [],
  );
}
