import * as admin from '../generated/hey-api/admin/index.js';
import { createClient as createAdminClient } from '../generated/hey-api/admin/client/index.js';
import * as demo from '../generated/hey-api/demo/index.js';
import { client as demoClient } from '../generated/hey-api/demo/client.gen.js';
import * as filling from '../generated/hey-api/filling-line/index.js';
import { client as fillingClient } from '../generated/hey-api/filling-line/client.gen.js';
import * as sample from '../generated/hey-api/sample-line/index.js';
import { client as sampleClient } from '../generated/hey-api/sample-line/client.gen.js';
import { called, eventually, good, refused, type Target } from './report.js';

/** Every operation of the samples and a few of the admin API, by functions of @hey-api/openapi-ts. */
export async function callByHeyApi(target: Target): Promise<void> {
  demoClient.setConfig(settings(target, 'demo'));
  await callDemo();
  fillingClient.setConfig(settings(target, 'filling-line'));
  await callFillingLine();
  sampleClient.setConfig(settings(target, 'sample-line'));
  await callSampleLine();
  await callAdmin(target);
}

function settings({ samples }: Target, name: string): { baseUrl: string; auth: string } {
  const found = samples[name];
  if (found === undefined) throw new Error(`there is no sample ${name}`);
  return { baseUrl: found.gateway, auth: found.key };
}

async function callDemo(): Promise<void> {
  const order = good('POST /orders', await demo.ordersInPost({ body: { orderId: 'WO-1043', quantity: 25 } }));
  called('POST /orders', `${order.accepted.toUpperCase()} ${order.quantity.toFixed()}`);
  const shown = good('GET /orders/{id}', await demo.orderInGet({ path: { id: 'WO-1043' } }));
  called('GET /orders/{id}', shown.state.toUpperCase());
  const alive = good('GET /heartbeat', await eventually(() => demo.heartbeatInGet()));
  called('GET /heartbeat', alive.alive);
  called('POST /notes', good('POST /notes', await demo.notesInPost({ body: { note: 'x' } })).noted);
  called('GET /line', good('GET /line', await demo.lineStateInGet()).line.toFixed());
  refused('GET /maintenance', 403, await demo.maintenanceInGet());
  called('GET /archive', good('GET /archive', await demo.archiveInGet()).length.toFixed());
  refused('GET /silent', 504, await demo.silentInGet());
}

async function callFillingLine(): Promise<void> {
  called('POST /line/prepare', good('POST /line/prepare', await filling.prepareInPost()).prepared);
  const body = { orderId: 'WO-2002', product: 'Water 0.5 l', quantity: 2500 };
  const taken = good('POST /line/orders', await filling.ordersInPost({ body }));
  called('POST /line/orders', taken.accepted.toUpperCase());
  const order = good('GET /line/orders/{id}', await filling.orderInGet({ path: { id: 'WO-2002' } }));
  called('GET /line/orders/{id}', order.quantity.toFixed());
  const status = good('GET /line/status', await filling.statusInGet({ query: { prefix: 'line1/filler/' } }));
  called('GET /line/status', `${Object.values(status.tags)[0]?.unit} ${status.lastOrder?.orders.toFixed()}`);
  const trend = good('GET /line/trend', await filling.trendInGet());
  called('GET /line/trend', `${trend[0]?.points[0]?.value?.toFixed(1)}`);
  const report = good('GET /line/report', await eventually(() => filling.reportFileInGet()));
  called('GET /line/report', report.split('\n').length);
}

async function callSampleLine(): Promise<void> {
  called('GET /sample/health', good('GET /sample/health', await sample.healthInGet()).ok);
  const body = { orderId: 'WO-1043', product: 'Cola', quantity: 5 };
  const taken = good('POST /sample/orders', await sample.ordersInPost({ body }));
  called('POST /sample/orders', taken.accepted.toUpperCase());
  const order = good('GET /sample/orders/{id}', await sample.orderInGet({ path: { id: 'WO-1043' } }));
  called('GET /sample/orders/{id}', order.takenAt.slice(0, 4));
  const line = good('GET /sample/line', await sample.lineInGet({ query: { prefix: 'sample/speed' } }));
  called('GET /sample/line', Object.keys(line.tags).join(' '));
  const speed = good('PUT /sample/line/setpoint', await sample.setpointInPut({ body: { speed: 210 } }));
  called('PUT /sample/line/setpoint', speed.speed.toFixed());
}

async function callAdmin({ ui, user }: Target): Promise<void> {
  const client = createAdminClient({ baseUrl: `${ui}/api/v1` });
  const session = await admin.postSession({ client, body: user });
  const { csrfToken } = good('POST /session', session);
  const cookie =
    session.response?.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ') ?? '';
  client.setConfig({ headers: { Cookie: cookie, 'X-CSRF-Token': csrfToken } });
  const project = await admin.postProjects({ client, body: { id: 'by-hey-api', name: 'Generated' } });
  called('POST /projects', good('POST /projects', project).createdAt.slice(0, 4));
  called('GET /status', good('GET /status', await admin.getStatus({ client })).pipelines.running.toFixed());
  const routes = good('GET /routes', await admin.getRoutes({ client }));
  called('GET /routes', routes.items.filter(({ answers }) => answers).length);
  const none = await admin.getProjectsProject({ client, path: { project: 'nowhere' } });
  refused('GET /projects/{project}', 404, none);
}
