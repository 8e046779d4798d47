import type { AddressInfo } from 'node:net';
import cors from '@fastify/cors';
import rateLimit from '@fastify/rate-limit';
import Fastify from 'fastify';
import { announce, createControls, readConfig } from './controls.ts';

/** Fastify with the controls of a Sluice route. */
const config = readConfig();
const controls = createControls(config);
const app = Fastify({ logger: false, bodyLimit: config.maxPayloadBytes });

app.addHook('onRequest', (request, reply, done) => {
  if (controls.addressAllowed(request.socket.remoteAddress)) done();
  else void reply.code(403).send({ error: 'address' });
});
await app.register(cors, {
  origin: config.allowedOrigins,
  allowedHeaders: ['Content-Type', 'X-API-Key', ...config.headerWhitelist],
});
app.addHook('onRequest', (request, reply, done) => {
  const key = controls.key(request.headers['x-api-key']);
  if (!key) void reply.code(401).send({ error: 'key' });
  else if (!controls.scopesHeld(key.scopes)) void reply.code(403).send({ error: 'scope' });
  else done();
});
await app.register(rateLimit, { max: config.rateLimit, timeWindow: 1000, keyGenerator: () => 'route' });

app.get<{ Params: { id: string }; Querystring: { line: string } }>('/api/v1/orders/:id', async (request) => ({
  ok: true,
  id: request.params.id,
  line: request.query.line,
}));
app.post<{ Body: { orderId: string } }>('/api/v1/orders', async (request, reply) => {
  reply.code(201);
  return { accepted: request.body.orderId };
});

await app.listen({ port: 0, host: '127.0.0.1' });
announce((app.server.address() as AddressInfo).port);
