/**
 * Receives production reports from Sluice; each counts once, however often it arrives.
 *
 * Start it with: node receiver.mjs PORT FILE
 * POST /reports takes {"order": "WO-1042", "good": 118}; GET /totals returns the totals.
 */
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';

const [port, file] = process.argv.slice(2);
const BODY_BYTES_MAX = 1024 * 1024;
const KEY_CHARS_MAX = 255;
const KEEP_KEYS = '-400 days';

const database = new DatabaseSync(file, { timeout: 10_000 });
// FULL: a commit is on disk before it returns.
database.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS totals (work_order TEXT PRIMARY KEY, good INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS seen (key TEXT PRIMARY KEY, at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP);
  CREATE INDEX IF NOT EXISTS seen_at ON seen (at);
`);
const addKey = database.prepare('INSERT OR IGNORE INTO seen (key) VALUES (?)');
const addReport = database.prepare(
  'INSERT INTO totals VALUES (?, ?) ON CONFLICT DO UPDATE SET good = good + excluded.good',
);
const forgetOldKeys = database.prepare("DELETE FROM seen WHERE at < datetime('now', ?)");
const readTotals = database.prepare('SELECT work_order, good FROM totals');

/**
 * Key and total are written in ONE transaction: after a crash, both are stored or neither is. Nothing in it
 * is awaited, so a second attempt at the same time waits until the first one has finished.
 */
function take(key, { order, good }) {
  database.exec('BEGIN IMMEDIATE');
  try {
    if (Number(addKey.run(key).changes) === 1) {
      addReport.run(order, good);
      forgetOldKeys.run(KEEP_KEYS);
    }
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Null = not a valid report; sending it again does not help. */
function readReport(body) {
  try {
    const { order, good } = JSON.parse(body.toString('utf8'));
    const right = typeof order === 'string' && order !== '' && Number.isInteger(good) && good >= 0 && good <= 1_000_000;
    return right ? { order, good } : null;
  } catch {
    return null;
  }
}

/** Null = more than BODY_BYTES_MAX. */
async function readBody(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function receive(request, response) {
  if (request.method === 'GET' && request.url === '/totals')
    return answer(response, 200, Object.fromEntries(readTotals.all().map((row) => [row.work_order, row.good])));
  if (request.method !== 'POST' || request.url !== '/reports')
    return refuse(response, 404, 'expected POST /reports or GET /totals');
  const keys = request.headersDistinct['idempotency-key'] ?? [];
  if (keys.length !== 1 || keys[0].length < 1 || keys[0].length > KEY_CHARS_MAX)
    return refuse(response, 400, 'expected one Idempotency-Key');
  const body = await readBody(request);
  if (body === null) return refuse(response, 413, `expected at most ${BODY_BYTES_MAX} bytes`);
  const report = readReport(body);
  if (report === null) return answer(response, 400, { error: 'expected {"order": "WO-1042", "good": 118}' });
  try {
    take(keys[0], report);
  } catch (error) {
    console.error('could not store:', error.message);
    return answer(response, 503, { error: 'try again' }, { 'Retry-After': '5' });
  }
  // Only after the commit, and the same for a key that is already stored.
  answer(response, 200, { accepted: report.order });
}

/** A response to a request that was not read completely; the connection cannot be reused. */
function refuse(response, status, error) {
  answer(response, status, { error }, { Connection: 'close' });
}

function answer(response, status, body, headers = {}) {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
}

const server = createServer((request, response) => {
  receive(request, response).catch((error) => {
    // The sender disconnected in the middle of the body; nothing was stored.
    console.error('not received:', error.message);
    response.destroy();
  });
});
server.listen(Number(port), '127.0.0.1', () => console.log(`receiving on http://127.0.0.1:${server.address().port}`));
