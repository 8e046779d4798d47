import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { templates } from '#common/languages/en/ui/templates.ts';
import type { CheckResult, PipelineDefinition } from '#common/model/pipeline.ts';
import type { KeyRecord } from '#common/model/records.ts';
import { startService, type TestService } from '#test/service.ts';
import { until } from '#test/until.ts';
import { pipelineFrom, type PipelineTemplate, ROUTE, type TemplateCall } from '#ui/templates/template.ts';
import { TEMPLATES } from '#ui/templates/templates.ts';

/**
 * Every template of _New pipeline_, filled in, on the real service: it starts, and its route returns the stated reply.
 */
const P = '/projects/line-7';
const TOKEN = 'a-webhook-token-of-line-7';
const STORY_MS_MAX = 120_000;

let service: TestService;
let target: Server;
let host = '';
const taken: { path: string | undefined; body: string }[] = [];

beforeAll(async () => {
  target = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += String(part)));
    request.on('end', () => {
      taken.push({ path: request.url, body });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  const address = target.address();
  host = `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  service = await startService();
  await service.setUp();
  await prepare();
}, STORY_MS_MAX);

afterAll(async () => {
  await service?.stop();
  target.closeAllConnections();
  await new Promise((resolve) => target.close(resolve));
});

/** The resources of a project that the examples refer to. */
async function prepare() {
  const { admin } = service;
  await admin.ok('PATCH', '/settings', { allowedInternalTargets: [host] });
  await admin.ok('POST', '/projects', { id: 'line-7', name: 'Line 7' });
  const tag = { type: 'number', writable: true, source: { provider: 'memory', initial: 120 } };
  for (const path of ['line7/speed', 'line7/setpoint', 'line7/recorded'])
    await admin.ok('POST', `${P}/tags`, { ...tag, path });
  const params = [{ name: 'id', type: 'text' }];
  await admin.ok('POST', `${P}/queries`, { id: 'recipe-by-id', sql: 'SELECT :id AS id, 500 AS grams', params });
  await admin.ok('POST', `${P}/scripts`, { id: 'scale', code: 'export default ({ body }) => body.value * 2' });
  await admin.ok('PUT', `${P}/files/serve-files%2Ftoday.json`, { content: '{"recipe":"R-7"}' });
  await admin.ok('PUT', `${P}/variables/webhook%2Ftoken`, { value: TOKEN });
}

/** With the examples in its open settings; calls go to the target of this test. */
function filled(template: PipelineTemplate): PipelineDefinition {
  const definition = pipelineFrom(template, template.id, template.id);
  for (const { node, field, example } of template.open) {
    const settings = definition.nodes.find(({ id }) => id === node)?.settings ?? {};
    const names = field.split('.');
    const last = names.pop() ?? '';
    const holder = names.reduce<unknown>((inner, name) => Reflect.get(Object(inner), name), settings);
    const value = String(example).startsWith('https:') ? `http://${host}/${node}` : example;
    Reflect.set(Object(holder), last, value);
  }
  return definition;
}

test('there are at least ten, each with a plain title and one line in every language', () => {
  expect(TEMPLATES.length).toBeGreaterThanOrEqual(10);
  expect(TEMPLATES.map(({ id }) => id).toSorted()).toEqual(Object.keys(templates.texts).toSorted());
});

test.each(TEMPLATES.map((template) => [template.id, template] as const))(
  '%s is saved as a draft while it is incomplete, and has no error and no warning once it is filled in',
  async (id, template) => {
    const { admin } = service;
    const open = pipelineFrom(template, id, id);
    await admin.ok('POST', `${P}/pipelines`, { ...open, nodes: [], wires: [] });
    await admin.ok('PUT', `${P}/pipelines/${id}?passing=true`, open);
    const before = await admin.ok<CheckResult>('POST', `${P}/pipelines/${id}/check`, {});
    expect(before.errors.length > 0 || before.warnings.length > 0).toBe(template.open.length > 0 || isPublic(template));
    await admin.ok('PUT', `${P}/pipelines/${id}`, filled(template));
    const { errors, warnings } = await admin.ok<CheckResult>('POST', `${P}/pipelines/${id}/check`, {});
    expect(errors).toEqual([]);
    // A route without a key has this warning, which is expected.
    expect(warnings.filter(({ code }) => code !== 'public_route')).toEqual([]);
    await admin.ok('POST', `${P}/pipelines/${id}/start`, {});
  },
);

const isPublic = ({ nodes }: PipelineTemplate) => nodes.some(({ settings }) => settings['authType'] === 'none');

const CALLED = TEMPLATES.flatMap(({ id, call, nodes }) => (call === null ? [] : [[id, call, nodes] as const]));

test.each(CALLED)('a call of %s gets the documented reply', async (id, call, nodes) => {
  const scopes = nodes.flatMap(({ settings }) => settings['requiredScopes'] ?? []);
  const key = await service.admin.ok<KeyRecord & { key: string }>('POST', `${P}/keys`, { name: id, scopes });
  const response = await ask(id, call, key.key);
  expect(response.status).toBe(call.reply.status);
  expect(await response.json()).toMatchObject(Object(call.reply.body));
});

function ask(id: string, { method, below = '', headers = {}, body }: TemplateCall, key: string): Promise<Response> {
  const own = Object.entries(headers).map(([name, value]) => [name, value.replace('{token}', TOKEN)]);
  return fetch(`http://127.0.0.1:${service.gatewayPort}${ROUTE.replace('{pipeline}', id)}${below}`, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...Object.fromEntries(own) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

test('other replies: 400 for an invalid value, 401 without the token, 404 for a missing file', async () => {
  const { key } = await service.admin.ok<{ key: string }>('POST', `${P}/keys`, {
    name: 'others',
    scopes: ['tag:write', 'file:read', 'db:write'],
  });
  const status = async (id: string, call: Omit<TemplateCall, 'reply'>) =>
    (await ask(id, { ...call, reply: { status: 0, body: null } }, key)).status;
  expect(await status('write-tag', { method: 'POST', body: { value: 'fast' } })).toBe(400);
  expect(await status('store-measurement', { method: 'POST', body: {} })).toBe(400);
  expect(await status('webhook', { method: 'POST', body: {} })).toBe(401);
  expect(await status('serve-files', { method: 'GET', below: '/none' })).toBe(404);
});

test('a call to two targets reaches both with the event, and a change of a tag is sent', async () => {
  const { key } = await service.admin.ok<{ key: string }>('POST', `${P}/keys`, { name: 'both', scopes: [] });
  taken.length = 0;
  const call = { method: 'POST', body: { event: 'both' } } as const;
  await ask('two-targets', { ...call, reply: { status: 202, body: null } }, key);
  const event = JSON.stringify({ event: 'both' });
  await until('both have it', () => taken.filter(({ body }) => body === event).length === 2);
  expect(taken.filter(({ body }) => body === event).map((one) => one.path)).toEqual(['/first', '/second']);
  await service.admin.ok('POST', `${P}/tags/write`, { writes: [{ path: 'line7/speed', value: 121 }] });
  await until('the change is sent', () => taken.some(({ path, body }) => path === '/send' && body.includes('121')));
});
