import type { AddressInfo } from 'node:net';
import cors from 'cors';
import express from 'express';
import { rateLimit } from 'express-rate-limit';
import { announce, createControls, type HeldKey, readConfig } from './controls.ts';
import { openPeerJournal } from '../peer-journal.ts';

/** Express with the controls of a Sluice route, with or without its journal. */
const config = readConfig();
const controls = createControls(config);
const app = express();
app.disable('x-powered-by');
app.disable('etag');

app.use((req, res, next) => {
  if (controls.addressAllowed(req.socket.remoteAddress)) next();
  else res.status(403).json({ error: 'address' });
});
app.use(
  cors({ origin: config.allowedOrigins, allowedHeaders: ['Content-Type', 'X-API-Key', ...config.headerWhitelist] }),
);
app.use((req, res, next) => {
  const key = controls.key(req.headers['x-api-key']);
  if (!key) res.status(401).json({ error: 'key' });
  else if (!controls.scopesHeld(key.scopes)) res.status(403).json({ error: 'scope' });
  else {
    res.locals['key'] = key;
    next();
  }
});
app.use(
  rateLimit({
    windowMs: 1000,
    limit: config.rateLimit,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: () => 'route',
    validate: false,
  }),
);
app.use(express.json({ limit: config.maxPayloadBytes }));
if (config.journalFolder !== null) {
  const journal = await openPeerJournal(config.journalFolder);
  app.use((req, res, next) => {
    const { id } = res.locals['key'] as HeldKey;
    const asked = { keyId: id, method: req.method, path: req.path, ip: req.ip ?? '' };
    const record = journal.use(asked, (ok) => {
      if (ok) next();
      else res.status(503).end();
    });
    const json = res.json.bind(res);
    res.json = (body) => {
      const bytes = Buffer.byteLength(JSON.stringify(body));
      record.outcome(res.statusCode, bytes, (ok) => void (ok ? json(body) : res.status(503).end()));
      return res;
    };
  });
}
app.get('/api/v1/orders/:id', (req, res) => void res.json({ ok: true, id: req.params.id, line: req.query['line'] }));
app.post(
  '/api/v1/orders',
  (req, res) => void res.status(201).json({ accepted: (req.body as { orderId: string }).orderId }),
);

const server = app.listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port));
