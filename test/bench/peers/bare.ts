import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { announce } from './controls.ts';

/** node:http without any controls. The baseline of the comparison. */
const server = createServer((req, res) => (req.method === 'POST' ? post(req, res) : get(req, res)));
server.listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port));

function get(req: IncomingMessage, res: ServerResponse): void {
  const [path = '', query = ''] = (req.url ?? '').split('?');
  answer(res, 200, {
    ok: true,
    id: path.slice(path.lastIndexOf('/') + 1),
    line: new URLSearchParams(query).get('line'),
  });
}

function post(req: IncomingMessage, res: ServerResponse): void {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString()) as { orderId: string };
    answer(res, 201, { accepted: body.orderId });
  });
}

function answer(res: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  res.end(text);
}
