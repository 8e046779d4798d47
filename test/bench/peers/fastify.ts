import type { AddressInfo } from 'node:net';
import cors from '@fastify/cors';
import rateLimit from '@fastify/rate-limit';
import Fastify from 'fastify';
import { announce, createControls, type HeldKey, readConfig } from './controls.ts';
import { openPeerJournal, type RequestRecord } from '../peer-journal.ts';

declare module 'fastify' {
  interface FastifyRequest {
    heldKey: HeldKey | null;
    record: RequestRecord | null;
  }
}

/** Fastify with the controls of a Sluice route, with or without its journal. */
const config = readConfig();
const controls = createControls(config);
const app = Fastify({ logger: false, bodyLimit: config.maxPayloadBytes });
app.decorateRequest('heldKey', null);
app.decorateRequest('record', null);

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
  else {
    request.heldKey = key;
    done();
  }
});
await app.register(rateLimit, { max: config.rateLimit, timeWindow: 1000, keyGenerator: () => 'route' });
if (config.journalFolder !== null) {
  const journal = await openPeerJournal(config.journalFolder);
  app.addHook('preHandler', (request, reply, done) => {
    const { heldKey, method, url, ip } = request;
    const asked = { keyId: heldKey?.id ?? '', method, path: url, ip };
    request.record = journal.use(asked, (ok) => {
      if (ok) done();
      else void reply.code(503).send({ error: 'journal' });
    });
  });
  app.addHook<string>('onSend', (request, reply, payload, done) => {
    const { record } = request;
    if (!record) return done(null, payload);
    record.outcome(reply.statusCode, Buffer.byteLength(payload), (ok) =>
      done(ok ? null : new Error('journal'), payload),
    );
  });
}

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
