import { readEgressUrl } from '#common/model/egress-settings.ts';
import {
  type EgressLine,
  type EgressOutcome,
  type Message,
  NodeError,
  type NodeInstance,
  type NodeServices,
  parseTemplate,
  readPath,
  type Run,
  type SettingWarning,
  withPayload,
  type z,
} from '#sdk';
import { egressExamples } from './egress-examples.ts';
import { egressNodeSettings } from './egress-settings.ts';
import { fillOrderingKey, fillTarget, parseTarget } from './egress-target.ts';
import { passedOn } from './egress-trace.ts';
import type { Mode } from './mode.ts';

type EgressSettings = z.output<typeof egressNodeSettings>;

const BODY = ['payload', 'body'];
const FETCHES: readonly string[] = ['GET', 'HEAD'];

/**
 * Calls a target (docs/spec/egress.md#settings). The author decides what the node calls; a message only fills in
 * placeholders in path and query.
 */
export const egress: Mode<typeof egressNodeSettings> = {
  settings: egressNodeSettings,
  input: true,
  ports: ({ storeAndForward }) => (storeAndForward ? ['response', 'queued'] : ['response']),
  warnings,
  examples: egressExamples,
  create,
};

/** Throws the errors of `EgressService.open`. */
async function create(settings: EgressSettings, services: NodeServices): Promise<NodeInstance> {
  const { method, timeout, storeAndForward } = settings;
  const url = readEgressUrl(settings.url);
  if (url === null) throw new NodeError('setting_invalid', 'the setting "url" is no URL that a node may call');
  const target = parseTarget(url.path);
  const orderingKey = parseTemplate(settings.orderingKey ?? '');
  const headers = clearHeaders(settings);
  const endpoint = { origin: url.origin, method, headers, timeoutSeconds: timeout, tls: clearTls(settings) };
  const line = await services.egress.open({ ...endpoint, storeAndForward });
  const send = (message: Message, run: Run): ReturnType<EgressLine['send']> => {
    const path = fillTarget(target, message);
    const body = readPath(message, BODY) ?? null;
    const call = { path, body, orderingKey: fillOrderingKey(orderingKey, message) };
    const caller = message.caller?.keyId ?? message.request?.ip ?? null;
    const { origin } = run;
    const traceparent = passedOn(run.traceparent);
    return line.send({ ...call, traceparent, caller, origin, run }, run.signal);
  };
  return {
    run: async (message, run) => leave(message, await send(message, run)),
    close: () => line.close(),
  };
}

function warnings({ method, storeAndForward }: EgressSettings): readonly SettingWarning[] {
  if (!storeAndForward || !FETCHES.includes(method)) return [];
  const message = `a ${method} is stored and tried until the target answers, perhaps hours later; where a late answer is useless, turn store and forward off`;
  return [{ code: 'fetch_stored', field: 'storeAndForward', message }];
}

function leave(message: Message, outcome: EgressOutcome) {
  if (outcome.kind === 'queued')
    return { port: 'queued', message: answered(message, { status: 202, body: { eventId: outcome.eventId } }) };
  const { status, headers, body } = outcome;
  return { port: 'response', message: answered(message, { status, headers: { ...headers }, body }) };
}

/** A payload without fields is replaced by the response: the call was made, and the node must not fail now. */
function answered(message: Message, fields: object): Message {
  const { payload } = message;
  const keeps = typeof payload === 'object' && payload !== null && !Array.isArray(payload);
  return withPayload(message, keeps && !(payload instanceof Uint8Array) ? { ...payload, ...fields } : fields);
}

/** The check of the settings ensures that every value is present. */
function clearHeaders({ staticHeaders }: EgressSettings): Record<string, string> {
  return Object.fromEntries(Object.entries(staticHeaders).map(([name, value]) => [name, clear(value)]));
}

function clearTls({ tls }: EgressSettings) {
  if (tls === null) return null;
  return { ca: tls.ca, certificate: tls.certificate, key: tls.key === null ? null : clear(tls.key) };
}

function clear(value: string | object | null): string {
  if (typeof value === 'string') return value;
  throw new NodeError('setting_invalid', 'a secret of the settings is not there; put it in again');
}
