import createClient from 'openapi-fetch';
import type { paths as AdminPaths } from '../generated/openapi-typescript/admin.js';
import type { paths as DemoPaths } from '../generated/openapi-typescript/demo.js';
import type { paths as FillingPaths } from '../generated/openapi-typescript/filling-line.js';
import type { paths as SamplePaths } from '../generated/openapi-typescript/sample-line.js';
import { called, eventually, good, refused, type Target } from './report.js';

/** Every operation of the samples and a few of the admin API, by types of openapi-typescript. */
export async function callByOpenApiFetch(target: Target): Promise<void> {
  await callDemo(...settings(target, 'demo'));
  await callFillingLine(...settings(target, 'filling-line'));
  await callSampleLine(...settings(target, 'sample-line'));
  await callAdmin(target);
}

type Headers = { 'X-API-Key': string };

function settings({ samples }: Target, name: string): [baseUrl: string, headers: Headers] {
  const sample = samples[name];
  if (sample === undefined) throw new Error(`there is no sample ${name}`);
  return [sample.gateway, { 'X-API-Key': sample.key }];
}

async function callDemo(baseUrl: string, headers: Headers): Promise<void> {
  const api = createClient<DemoPaths>({ baseUrl, headers });
  const order = await api.POST('/api/v1/orders', { body: { orderId: 'WO-1042', quantity: 25 } });
  const { accepted, quantity } = good('POST /orders', order);
  called('POST /orders', `${accepted.toUpperCase()} ${quantity.toFixed()}`);
  const wrong = await api.POST('/api/v1/orders', { body: { orderId: 'x', quantity: 0 } });
  if (wrong.error === undefined || !('errors' in wrong.error)) throw new Error('expected the list of wrong fields');
  called('POST /orders 400', wrong.error.errors?.length ?? 0);
  const shown = await api.GET('/api/v1/orders/{id}', { params: { path: { id: 'WO-1042' } } });
  called('GET /orders/{id}', good('GET /orders/{id}', shown).state.toUpperCase());
  called('GET /heartbeat', good('GET /heartbeat', await api.GET('/api/v1/heartbeat')).alive);
  called('POST /notes', good('POST /notes', await api.POST('/api/v1/notes', { body: { note: 'x' } })).noted);
  called('GET /line', good('GET /line', await api.GET('/api/v1/line')).line.toFixed());
  refused('GET /maintenance', 403, await api.GET('/api/v1/maintenance'));
  called('GET /archive', good('GET /archive', await api.GET('/api/v1/archive')).length.toFixed());
  refused('GET /silent', 504, await api.GET('/api/v1/silent'));
}

async function callFillingLine(baseUrl: string, headers: Headers): Promise<void> {
  const api = createClient<FillingPaths>({ baseUrl, headers });
  called('POST /line/prepare', good('POST /line/prepare', await api.POST('/api/v1/line/prepare')).prepared);
  const body = { orderId: 'WO-2001', product: 'Water 0.5 l', quantity: 2500 };
  const taken = await api.POST('/api/v1/line/orders', { body });
  called('POST /line/orders', good('POST /line/orders', taken).accepted.toUpperCase());
  const again = await api.POST('/api/v1/line/orders', { body });
  refused('POST /line/orders, twice', 409, again);
  const order = await api.GET('/api/v1/line/orders/{id}', { params: { path: { id: 'WO-2001' } } });
  called('GET /line/orders/{id}', good('GET /line/orders/{id}', order).quantity.toFixed());
  const status = await api.GET('/api/v1/line/status', { params: { query: { prefix: 'line1/filler/' } } });
  const { tags, lastOrder } = good('GET /line/status', status);
  called('GET /line/status', `${Object.values(tags)[0]?.unit} ${lastOrder?.orders.toFixed()}`);
  const trend = await api.GET('/api/v1/line/trend');
  called('GET /line/trend', `${good('GET /line/trend', trend)[0]?.points[0]?.value?.toFixed(1)}`);
  const report = await eventually(() => api.GET('/api/v1/line/report', { parseAs: 'text' }));
  called('GET /line/report', good('GET /line/report', report).split('\n').length);
}

async function callSampleLine(baseUrl: string, headers: Headers): Promise<void> {
  const api = createClient<SamplePaths>({ baseUrl, headers });
  called('GET /sample/health', good('GET /sample/health', await api.GET('/api/v1/sample/health')).ok);
  const body = { orderId: 'WO-1042', product: 'Cola', quantity: 5 };
  const taken = await api.POST('/api/v1/sample/orders', { body });
  called('POST /sample/orders', good('POST /sample/orders', taken).accepted.toUpperCase());
  const order = await api.GET('/api/v1/sample/orders/{id}', { params: { path: { id: 'WO-1042' } } });
  called('GET /sample/orders/{id}', good('GET /sample/orders/{id}', order).takenAt.slice(0, 4));
  const line = await api.GET('/api/v1/sample/line', { params: { query: { prefix: 'sample/speed' } } });
  called('GET /sample/line', Object.keys(good('GET /sample/line', line).tags).join(' '));
  const speed = await api.PUT('/api/v1/sample/line/setpoint', { body: { speed: 210 } });
  called('PUT /sample/line/setpoint', good('PUT /sample/line/setpoint', speed).speed.toFixed());
}

async function callAdmin({ ui, user }: Target): Promise<void> {
  const api = createClient<AdminPaths>({ baseUrl: `${ui}/api/v1` });
  const session = await api.POST('/session', { body: user });
  const { csrfToken } = good('POST /session', session);
  const cookie = session.response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const headers = { Cookie: cookie, 'X-CSRF-Token': csrfToken };
  const project = await api.POST('/projects', { headers, body: { id: 'by-openapi-fetch', name: 'Generated' } });
  called('POST /projects', good('POST /projects', project).createdAt.slice(0, 4));
  const status = await api.GET('/status', { headers });
  called('GET /status', good('GET /status', status).pipelines.running.toFixed());
  const routes = await api.GET('/routes', { headers });
  called('GET /routes', good('GET /routes', routes).items.filter(({ answers }) => answers).length);
  const path = { project: 'by-openapi-fetch' };
  const key = await api.POST('/projects/{project}/keys', {
    headers,
    params: { path },
    body: { name: 'C', scopes: [] },
  });
  const { record } = good('POST keys', key);
  const revoked = await api.POST('/projects/{project}/keys/{key}/revoke', {
    headers,
    params: { path: { ...path, key: record.id } },
  });
  called('POST /projects/{project}/keys/{key}/revoke', good('revoke', revoked).revokedAt?.slice(0, 4) ?? 'never');
  const none = await api.GET('/projects/{project}', { headers, params: { path: { project: 'nowhere' } } });
  called('GET /projects/{project} 404', none.error?.code ?? 'nothing');
  refused('GET /projects/{project}', 404, none);
}
