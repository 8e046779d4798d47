import { makeKey } from '#test/make-key.ts';
import type { Caller, Workload } from './contract.ts';

export const ALLOWED_ORIGIN = 'https://hmi.local:8443';
export const REQUIRED_SCOPES = ['db:read', 'db:write'] as const;
export const ALLOWED_RANGES = ['127.0.0.0/8', '10.0.0.0/8', 'fd00::/8'];
export const HEADER_WHITELIST = ['x-trace', 'x-line'];
/** High enough never to refuse, so that the bucket is used. */
export const RATE_LIMIT = 1_000_000_000;
export const MAX_PAYLOAD_BYTES = 1024 * 1024;

const BODY_BYTES = 1024;

export const GET_PARAM: Workload = {
  name: 'GET with a param',
  method: 'GET',
  path: '/api/v1/orders/4711?line=7',
  body: null,
  status: 200,
  answer: { ok: true, id: '4711', line: '7' },
};

export const POST_JSON: Workload = {
  name: 'POST 1 KB JSON',
  method: 'POST',
  path: '/api/v1/orders',
  body: orderBody(),
  status: 201,
  answer: { accepted: 'WO-2026-004711' },
};

export const POST_TRANSFORM: Workload = { ...POST_JSON, name: 'POST 1 KB, transform', path: '/api/v2/orders' };

export const POST_SANDBOX: Workload = {
  ...POST_JSON,
  name: 'POST 1 KB, transform in the sandbox',
  path: '/api/v3/orders',
};

export function benchCaller(): Caller {
  const key = makeKey({ name: 'MES line 7', scopes: [...REQUIRED_SCOPES, 'tag:read'] });
  const headers = { 'X-API-Key': key.value, Origin: ALLOWED_ORIGIN, 'X-Trace': 'a1b2c3d4', Accept: '*/*' };
  return { key, headers };
}

/** An order as sent by a line system, padded to exactly 1 KiB. */
function orderBody(): string {
  const lines = Array.from({ length: 8 }, (_, index) => ({
    position: index + 1,
    material: `M-${1000 + index}`,
    quantity: 10 * index,
  }));
  const order = { orderId: 'WO-2026-004711', priority: 3, due: '2026-11-30T06:00:00Z', lines, note: '' };
  const missing = BODY_BYTES - JSON.stringify(order).length;
  return JSON.stringify({ ...order, note: 'x'.repeat(missing) });
}
