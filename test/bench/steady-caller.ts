import { Agent, request } from 'node:http';

/**
 * Calls one route at a fixed rate, regardless of response times, in a separate process. The time of a call begins when
 * it is due, so that a stall of the gateway counts for every call that waited in it and not only for one. Measures on
 * each `{ seconds }` of its parent and answers with a SteadyResult; ends with its parent. Arguments: port, path, key,
 * calls per second, the expected status (200).
 */
export interface SteadyResult {
  readonly calls: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Calls with another status or without a response, and the last error. */
  readonly failed: number;
  readonly failure: string | null;
}

const CONNECTIONS = 32;
const TICK_MS = 1;
const CALL_MS_MAX = 10_000;

const [port = '', path = '', key = '', rate = '', right = '200'] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
const options = { host: '127.0.0.1', port: Number(port), path, agent, headers: { 'X-API-Key': key } };

/**
 * Null: the expected response, otherwise the error. A kept connection that the gateway has just closed as idle does not
 * count: the call is repeated.
 */
function call(again = true): Promise<string | null> {
  return new Promise((resolve) => {
    const sent = request(options, (response) => {
      response
        .resume()
        .on('end', () => resolve(response.statusCode === Number(right) ? null : `status ${response.statusCode}`));
      response.on('error', (error) => resolve(error.message));
    });
    sent.setTimeout(CALL_MS_MAX, () => sent.destroy(new Error(`no answer within ${CALL_MS_MAX} ms`)));
    sent.on('error', (error) => resolve(again && sent.reusedSocket ? call(false) : error.message)).end();
  });
}

async function measure(seconds: number): Promise<SteadyResult> {
  const times: number[] = [];
  const pending: Promise<void>[] = [];
  let failed = 0;
  let failure: string | null = null;
  const started = performance.now();
  const one = async () => {
    const due = performance.now();
    const why = await call();
    if (why !== null) failed += 1;
    failure = why ?? failure;
    times.push(performance.now() - due);
  };
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsed = Math.min(seconds, (performance.now() - started) / 1000);
      while (pending.length < elapsed * Number(rate)) pending.push(one());
      if (elapsed < seconds) return;
      clearInterval(timer);
      resolve();
    }, TICK_MS);
  });
  await Promise.all(pending);
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { calls: times.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1), failed, failure };
}

process.on('message', ({ seconds }: { seconds: number }) => {
  void measure(seconds).then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
