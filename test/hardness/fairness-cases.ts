import { type TestKey } from '#test/make-key.ts';
import { requestBytes } from '#test/raw-request.ts';
import { fixedReply, type PipelineInput, routePipeline } from '#test/route-pipeline.ts';

/** A limit that all callers share, and one caller, or one network, that uses as much of it as possible. */
export interface FairnessCase {
  readonly cap: string;
  readonly pipelines: readonly PipelineInput[];
  readonly connections: number;
  readonly addresses: number;
  request(key: TestKey): Buffer;
}

export const GREEDY_PROJECT = 'greedy';
const KIB = 1024;
const MIB = KIB * KIB;
const route = { timeout: 20 };
const wait = { kind: 'delay', settings: { seconds: 15 } };
const json = { 'Content-Type': 'application/json' };
const text = { 'Content-Type': 'text/plain' };

const waiting = (method: 'GET' | 'POST') =>
  routePipeline({ id: 'wait', method, path: '/greedy', route, middle: [wait] });
const spin =
  'export default () => { const end = Date.now() + 200; while (Date.now() < end); return { status: 200, body: 1 }; };';

export const CASES: readonly FairnessCase[] = [
  {
    cap: 'requests in flight',
    pipelines: [waiting('GET')],
    connections: 1_200,
    addresses: 10,
    request: (key) => requestBytes({ path: '/greedy', key: key.value }),
  },
  {
    cap: 'bodies in memory, texts',
    pipelines: [waiting('POST')],
    connections: 256,
    addresses: 4,
    request: ({ value: key }) =>
      requestBytes({ method: 'POST', path: '/greedy', key, headers: text, body: 'x'.repeat(MIB) }),
  },
  {
    cap: 'bodies in memory, objects',
    pipelines: [waiting('POST')],
    connections: 240,
    addresses: 4,
    request: ({ value: key }) =>
      requestBytes({ method: 'POST', path: '/greedy', key, headers: json, body: `[${'{},'.repeat(349_000)}{}]` }),
  },
  {
    cap: 'runs after their reply',
    pipelines: [repliesFirst()],
    connections: 32,
    addresses: 1,
    request: ({ value: key }) =>
      requestBytes({ method: 'POST', path: '/greedy', key, headers: text, body: 'x'.repeat(16 * KIB) }),
  },
  {
    cap: 'sandbox jobs',
    pipelines: [
      routePipeline({ id: 'spin', path: '/greedy', middle: [{ kind: 'transform', settings: { code: spin } }] }),
    ],
    connections: 250,
    addresses: 1,
    request: ({ value: key }) => requestBytes({ path: '/greedy', key }),
  },
  {
    cap: 'connections, by 4,600 addresses',
    pipelines: [],
    connections: 4_600,
    addresses: 4_600,
    request: () => Buffer.alloc(0),
  },
];

function repliesFirst(): PipelineInput {
  const one = routePipeline({ id: 'after', method: 'POST', path: '/greedy', route, ...fixedReply('taken') });
  const late = { id: 'late', ...wait };
  const wire = { from: 'in', port: 'out', to: 'late' };
  return { ...one, nodes: [...(one.nodes ?? []), late], wires: [...(one.wires ?? []), wire] };
}
