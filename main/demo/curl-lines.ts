import { STOPPED_STATUS } from '#common/errors/gateway-codes.ts';

/** A command to paste, with the expected status of its last response. */
export interface CurlLine {
  expect: number;
  title: string;
  command: string;
}

/**
 * `gateway` is its address without a trailing slash; `full` and `bare` are the demo's keys, with scopes and without.
 */
export function curlLines(gateway: string, keys: { full: string; bare: string }): CurlLine[] {
  const full = `-H 'X-API-Key: ${keys.full}'`;
  const bare = `-H 'X-API-Key: ${keys.bare}'`;
  const json = `-H 'Content-Type: application/json'`;
  const order = `-d '{"orderId":"WO-1042","quantity":25}'`;
  const curl = (path: string, ...rest: string[]) =>
    [`curl -sS -i -w '\\n' ${gateway}/api/v1${path}`, ...rest].join(' ');
  const line = (expect: number, title: string, command: string): CurlLine => ({ expect, title, command });
  return [
    line(201, 'a keyed order is checked, transformed and accepted', curl('/orders', full, json, order)),
    line(200, 'a route with a parameter', curl('/orders/WO-1042', full)),
    line(200, 'HEAD is answered on a GET route, without a body', curl('/orders/WO-1042', '--head', full)),
    line(
      400,
      'the pipeline itself refuses an order without an id',
      curl('/orders', full, json, `-d '{"quantity":25}'`),
    ),
    line(401, 'no key', curl('/orders', json, order)),
    line(401, 'a key that was never issued', curl('/orders', `-H 'X-API-Key: not-a-key'`, json, order)),
    line(403, 'a key that lacks the scope db:write', curl('/orders', bare, json, order)),
    line(403, 'a source address outside the allowed ones', curl('/maintenance', full)),
    line(
      403,
      'a browser page of an origin that is not allowed',
      curl('/line', `-H 'Origin: https://elsewhere.example'`, full),
    ),
    line(200, 'a browser page of the allowed origin', curl('/line', `-H 'Origin: https://hmi.example'`, full)),
    line(
      204,
      'the CORS preflight of that page, without a key',
      curl('/line', '-X OPTIONS', `-H 'Origin: https://hmi.example'`, `-H 'Access-Control-Request-Method: GET'`),
    ),
    line(STOPPED_STATUS, 'a pipeline that is stopped', curl('/archive', full)),
    line(404, 'a method that the route does not have', curl('/orders', '-X DELETE', full)),
    line(404, 'a slash too many at the end', curl('/orders/', full, json, order)),
    line(
      413,
      'a body of 2,000 bytes where 1 KB is the most',
      `head -c 2000 /dev/zero | tr '\\0' x | ${curl('/notes', full, `-H 'Content-Type: text/plain'`, '--data-binary @-')}`,
    ),
    line(429, 'the second call within ten seconds', `for call in 1 2; do ${curl('/heartbeat', full)}; done`),
    line(
      200,
      'the access of the key itself: its routes, limits and last refusals',
      `curl -sS -i -w '\\n' ${gateway}/.well-known/sluice ${bare}`,
    ),
    line(
      409,
      'an interlock: the setpoint is written only while the filler is slower than 100 bottles a minute',
      curl('/setpoint', full, json, `-d '{"speed":220}'`),
    ),
    line(504, 'a pipeline that never replies, after its timeout of 1 s', curl('/silent', full)),
  ];
}

/** The day of the sample "Filling line", in this order. */
export function fillingLines(
  gateway: string,
  keys: { mes: string; display: string; panel: string; trial: string },
): CurlLine[] {
  const mes = `-H 'X-API-Key: ${keys.mes}'`;
  const panel = `-H 'X-API-Key: ${keys.panel}'`;
  const display = `-H 'X-API-Key: ${keys.display}'`;
  const trial = `-H 'X-API-Key: ${keys.trial}'`;
  const json = `-H 'Content-Type: application/json'`;
  const trialOrder = `-d '{"orderId":"WO-2002","product":"Water 0.5 l","quantity":2500}'`;
  const order = `-d '{"orderId":"WO-2001","product":"Water 0.5 l","quantity":2500}'`;
  const curl = (path: string, ...rest: string[]) =>
    [`curl -sS -i -w '\\n' ${gateway}/api/v1/line${path}`, ...rest].join(' ');
  const line = (expect: number, title: string, command: string): CurlLine => ({ expect, title, command });
  return [
    line(200, 'the database is prepared (db:write)', curl('/prepare', '-X POST', mes)),
    line(
      201,
      'an order is kept by a named query, shown on the line’s tags and sent to other pipelines',
      curl('/orders', mes, json, order),
    ),
    line(409, 'the same order again', curl('/orders', mes, json, order)),
    line(200, 'the order, from the database', curl('/orders/WO-2001', display)),
    line(
      201,
      'a rehearsal: the writes of this key are simulated, and Sluice-Rehearsal counts them',
      curl('/orders', trial, json, trialOrder),
    ),
    line(404, 'the order of the rehearsal was not stored', curl('/orders/WO-2002', display)),
    line(200, 'tags of the line and what other pipelines noted', curl('/status', display)),
    line(200, 'means from the historian', curl('/trend', display)),
    line(403, 'the MES may not read the historian', curl('/trend', mes)),
    line(403, 'the key of the filler panel is limited to the tags of the filler', curl('/status', panel)),
  ];
}

/** Two lines each, as expected by `test/service/demo-walk.ts`. */
export function printedLines(lines: readonly CurlLine[]): string {
  return lines.map(({ expect, title, command }) => `# expect ${expect}: ${title}\n${command}\n`).join('\n');
}
