import { parseCidr } from '#common/cidr.ts';
import type { Settings } from '#common/model/settings.ts';
import { startGateway } from '#test/gateway.ts';
import { routePipeline } from '#test/route-pipeline.ts';
import { tempDir } from '#test/temp-dir.ts';
import { testCertificate } from '#test/test-certificate.ts';
import { TEST_PEPPER } from '#test/make-key.ts';
import type { Caller, Contestant, RunningContestant } from './contract.ts';
import { startPeer } from './peer-process.ts';
import {
  ALLOWED_ORIGIN,
  ALLOWED_RANGES,
  GET_PARAM,
  HEADER_WHITELIST,
  MAX_PAYLOAD_BYTES,
  POST_JSON,
  POST_SANDBOX,
  POST_TRANSFORM,
  RATE_LIMIT,
  REQUIRED_SCOPES,
} from './workloads.ts';

/** All contestants; the first is the baseline. */
export function contestants(caller: Caller, pin: string[]): Contestant[] {
  const config = peerConfig(caller);
  const workloads = [GET_PARAM, POST_JSON];
  const peer = (name: string, file: string): Contestant => ({
    name,
    workloads,
    start: () => startPeer(file, JSON.stringify(config), pin),
  });
  const journaled = (name: string, file: string): Contestant => ({
    name,
    workloads,
    start: () => startJournaled(file, config, pin),
  });
  return [
    peer('node:http (bare)', 'bare.ts'),
    peer('Express + controls', 'express.ts'),
    journaled('Express + controls + journal', 'express.ts'),
    peer('Fastify + controls', 'fastify.ts'),
    journaled('Fastify + controls + journal', 'fastify.ts'),
    peer('Node-RED', 'node-red.ts'),
    {
      name: 'Sluice',
      workloads: [GET_PARAM, POST_JSON, POST_TRANSFORM, POST_SANDBOX],
      start: () => startSluice(caller, pin),
    },
    { name: 'Sluice over TLS', workloads: [GET_PARAM, POST_JSON], start: () => startSluice(caller, pin, true) },
    {
      name: 'Sluice, connection per request',
      workloads: [GET_PARAM],
      connectionPerRequest: true,
      start: () => startSluice(caller, pin),
    },
    {
      name: 'Sluice over TLS, handshake per request',
      workloads: [GET_PARAM],
      connectionPerRequest: true,
      start: () => startSluice(caller, pin, true),
    },
  ];
}

function peerConfig({ key }: Caller): object {
  const { id, hash, scopes } = key.entry;
  return {
    pepper: TEST_PEPPER,
    keys: [{ id, hash, scopes }],
    requiredScopes: REQUIRED_SCOPES,
    allowedIps: ALLOWED_RANGES.map(parseCidr),
    allowedOrigins: [ALLOWED_ORIGIN],
    headerWhitelist: HEADER_WHITELIST,
    rateLimit: RATE_LIMIT,
    maxPayloadBytes: MAX_PAYLOAD_BYTES,
    journalFolder: null,
  };
}

/** A peer that uses the gateway's journal. */
async function startJournaled(file: string, config: object, pin: string[]): Promise<RunningContestant> {
  const folder = await tempDir('sluice-bench-journal-');
  const running = await startPeer(file, JSON.stringify({ ...config, journalFolder: folder.path }), pin);
  return {
    ...running,
    async stop() {
      await running.stop();
      await folder.remove();
    },
  };
}

/** The gateway process as started by the host: every control on, its journal on disk. */
export async function startSluice(
  { key }: Caller,
  pin: string[],
  tls = false,
  settings: Partial<Settings> = {},
): Promise<RunningContestant> {
  const proof = tls ? await testCertificate() : null;
  const gateway = await startGateway({
    prefix: pin,
    keys: [key],
    pipelines: [getOrder(), postOrder(), ...transformOrders()],
    settings: { ...settings, ...proof?.settings },
  });
  if (gateway.ready.failed.length > 0) throw new Error(`pipelines failed: ${JSON.stringify(gateway.ready.failed)}`);
  const { port, pid } = gateway;
  return { port, pid, ...(proof && { ca: proof.certificate }), stop: async () => void (await gateway.stop()) };
}

const CONTROLS = {
  authType: 'api_key',
  requiredScopes: [...REQUIRED_SCOPES],
  allowedIps: ALLOWED_RANGES,
  rateLimit: RATE_LIMIT,
  corsEnabled: true,
  allowedOrigins: [ALLOWED_ORIGIN],
  maxPayloadSize: MAX_PAYLOAD_BYTES,
  headerWhitelist: HEADER_WHITELIST,
};

const getOrder = () =>
  routePipeline({
    id: 'get-order',
    method: 'GET',
    path: '/api/v1/orders/:id',
    route: CONTROLS,
    middle: [
      {
        kind: 'set',
        settings: {
          assign: [
            { path: 'payload.body', value: { ok: true } },
            { path: 'payload.body.id', from: 'payload.params.id' },
            { path: 'payload.body.line', from: 'payload.query.line' },
          ],
        },
      },
    ],
  });

const postOrder = () =>
  routePipeline({
    id: 'post-order',
    method: 'POST',
    path: '/api/v1/orders',
    route: CONTROLS,
    middle: [
      {
        kind: 'set',
        settings: {
          assign: [
            { path: 'payload.orderId', from: 'payload.body.orderId' },
            { path: 'payload.body', value: {} },
            { path: 'payload.body.accepted', from: 'payload.orderId' },
          ],
        },
      },
    ],
    reply: { status: 201 },
  });

/** The same script twice; a regular expression makes the second one run in the sandbox. */
const transformOrders = () =>
  [
    { id: 'transform-order', path: '/api/v2/orders', test: '' },
    { id: 'sandbox-order', path: '/api/v3/orders', test: 'if (/^$/.test(msg.payload.body.orderId)) return null; ' },
  ].map(({ id, path, test }) =>
    routePipeline({
      id,
      method: 'POST',
      path,
      route: CONTROLS,
      middle: [
        {
          kind: 'transform',
          settings: {
            code: `export default (msg) => { ${test}return { status: 201, body: { accepted: msg.payload.body.orderId } }; }`,
          },
        },
      ],
    }),
  );
