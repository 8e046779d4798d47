import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '#test/gateway.ts';
import { call } from '#test/raw-request.ts';
import { fixedReply, routePipeline } from '#test/route-pipeline.ts';

/** Allowed IPs against addresses of every form. A trusted proxy lets the tests name any source address. */
const LISTS: Record<string, string[] | string> = {
  any: 'any',
  v4: ['10.0.0.0/8', '192.168.1.7'],
  v6: ['fd00::/8', '2001:db8::1'],
  both: '10.1.0.0/16, fd00:1::/32',
  host: ['10.0.0.1/32', '2001:db8::1/128'],
  all4: ['0.0.0.0/0'],
  all6: ['::/0'],
};
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({
    settings: { trustedProxies: ['127.0.0.1'] },
    pipelines: Object.entries(LISTS).map(([id, allowedIps]) =>
      routePipeline({ id, path: `/${id}`, route: { authType: 'none', allowedIps }, ...fixedReply(id) }),
    ),
  });
});
afterAll(() => gateway?.stop());

test.each<[string, string, boolean]>([
  ['any', '203.0.113.9', true],
  ['any', '2001:db8::9', true],
  ['v4', '10.255.255.255', true],
  ['v4', '11.0.0.0', false],
  ['v4', '192.168.1.7', true],
  ['v4', '192.168.1.8', false],
  // Another form of the same address must neither bypass the check nor be refused.
  ['v4', '::ffff:10.0.0.1', true],
  ['v4', '::ffff:a00:1', true],
  ['v4', '::ffff:11.0.0.1', false],
  ['v4', '::10.0.0.1', false],
  ['v4', 'fd00::1', false],
  ['v6', 'fd12:3456::1', true],
  ['v6', 'fe80::1', false],
  ['v6', '2001:db8::1', true],
  ['v6', '2001:0DB8:0:0:0:0:0:1', true],
  ['v6', '2001:db8::2', false],
  ['v6', '10.0.0.1', false],
  ['both', '10.1.2.3', true],
  ['both', '10.2.2.3', false],
  ['both', 'fd00:1:9::1', true],
  ['both', 'fd00:2::1', false],
  ['host', '10.0.0.1', true],
  ['host', '10.0.0.2', false],
  ['host', '2001:db8::1', true],
  ['host', '2001:db8::3', false],
  ['all4', '203.0.113.9', true],
  ['all4', '2001:db8::9', false],
  ['all6', '2001:db8::9', true],
  ['all6', '203.0.113.9', false],
])('allowed list %s, source %s: allowed is %s', async (list, source, allowed) => {
  const response = await call(gateway.port, { path: `/${list}`, headers: { 'X-Forwarded-For': source } });
  expect(response.status).toBe(allowed ? 200 : 403);
});

describe('invalid lists are refused when a pipeline is checked', () => {
  test.each([
    '',
    [],
    '10.0.0.0/33',
    '10.0.0',
    '10.0.0.0/8/8',
    'fd00::/129',
    '010.0.0.1',
    '10.0.0.1-10.0.0.9',
    '*',
    'localhost',
    'any, 10.0.0.0/8',
    '10.0.0.0/ 8',
  ])('%j', async (allowedIps) => {
    const { nodes = [], ...rest } = routePipeline({ id: 'bad', path: '/bad', route: { allowedIps } });
    const definition = {
      ...rest,
      runAs: 'caller' as const,
      grants: [],
      nodes: nodes.map((node) => ({ ...node, position: { x: 0, y: 0 }, settings: node.settings ?? {} })),
      wires: rest.wires ?? [],
    };
    const { errors } = await gateway.call('check', { project: 'line-1', definition });
    expect(errors).toMatchObject([{ node: 'in', field: expect.stringContaining('allowedIps') as unknown }]);
  });
});
