import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import RED from 'node-red';
import { announce } from './controls.ts';

/** Node-RED without editor, log-in and log: http in → function → http response. It has none of the controls. */
const userDir = mkdtempSync(join(tmpdir(), 'sluice-bench-node-red-'));
process.on('exit', () => rmSync(userDir, { recursive: true, force: true }));
process.on('SIGTERM', () => process.exit(0));

function flow(name: string, method: string, url: string, code: string): object[] {
  return [
    {
      id: `${name}-in`,
      z: 'tab',
      type: 'http in',
      name: '',
      url,
      method,
      upload: false,
      swaggerDoc: '',
      x: 0,
      y: 0,
      wires: [[`${name}-fn`]],
    },
    {
      id: `${name}-fn`,
      z: 'tab',
      type: 'function',
      name: '',
      func: code,
      outputs: 1,
      timeout: 0,
      noerr: 0,
      initialize: '',
      finalize: '',
      libs: [],
      x: 0,
      y: 0,
      wires: [[`${name}-out`]],
    },
    {
      id: `${name}-out`,
      z: 'tab',
      type: 'http response',
      name: '',
      statusCode: '',
      headers: {},
      x: 0,
      y: 0,
      wires: [],
    },
  ];
}

writeFileSync(
  join(userDir, 'flows.json'),
  JSON.stringify([
    { id: 'tab', type: 'tab', label: 'bench', disabled: false, info: '' },
    ...flow(
      'get',
      'get',
      '/api/v1/orders/:id',
      'msg.payload = { ok: true, id: msg.req.params.id, line: msg.req.query.line };\nreturn msg;',
    ),
    ...flow(
      'post',
      'post',
      '/api/v1/orders',
      'msg.statusCode = 201;\nmsg.payload = { accepted: msg.payload.orderId };\nreturn msg;',
    ),
  ]),
);

// Its own Express 4 app answers by itself: mounted in another version's app it does not start.
const server = createServer((req, res) => RED.httpNode(req, res));
RED.init(server, {
  userDir,
  flowFile: 'flows.json',
  httpAdminRoot: false,
  httpNodeRoot: '/',
  disableEditor: true,
  credentialSecret: false,
  telemetry: { enabled: false, updateNotification: false },
  logging: { console: { level: 'off', metrics: false, audit: false } },
});
RED.events.on('flows:started', () =>
  server.listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port)),
);
await RED.start();
