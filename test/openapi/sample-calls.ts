/** One call for every operation of a sample project, in the order of a day, with the possible statuses. */
export interface SampleCall {
  readonly method: 'get' | 'post' | 'put';
  /** As in the document. */
  readonly path: string;
  readonly url: string;
  readonly statuses: readonly number[];
  readonly body?: unknown;
}

const call = (
  method: SampleCall['method'],
  path: string,
  status: number | readonly number[],
  rest: Partial<SampleCall> = {},
): SampleCall => ({
  method,
  path,
  url: path,
  statuses: [status].flat(),
  ...rest,
});

const CALLS: Readonly<Record<string, readonly SampleCall[]>> = {
  demo: [
    call('post', '/api/v1/orders', 201, { body: { orderId: 'WO-1042', quantity: 25 } }),
    call('get', '/api/v1/orders/{id}', 200, { url: '/api/v1/orders/WO-1042' }),
    call('get', '/api/v1/heartbeat', 200),
    call('post', '/api/v1/notes', 202, { body: { note: 'a shift began' } }),
    call('get', '/api/v1/line', 200),
    // The sample shows a refusal by address.
    call('get', '/api/v1/maintenance', 403),
    call('get', '/api/v1/archive', 200),
    // The sample shows a write that an interlock refuses.
    call('post', '/api/v1/setpoint', 409, { body: { speed: 220 } }),
    // The sample shows a pipeline that never replies.
    call('get', '/api/v1/silent', 504),
  ],
  'filling-line': [
    call('post', '/api/v1/line/prepare', 200),
    call('post', '/api/v1/line/orders', 201, { body: { orderId: 'WO-2001', product: 'Water 0.5 l', quantity: 2500 } }),
    call('get', '/api/v1/line/orders/{id}', 200, { url: '/api/v1/line/orders/WO-2001' }),
    call('get', '/api/v1/line/status', 200, { url: '/api/v1/line/status?prefix=line1%2Ffiller' }),
    call('get', '/api/v1/line/trend', 200),
    // The report is written every ten seconds.
    call('get', '/api/v1/line/report', [200, 404]),
  ],
  'sample-line': [
    call('get', '/api/v1/sample/health', 200),
    call('post', '/api/v1/sample/orders', 201, { body: { orderId: 'WO-1042', product: 'Cola', quantity: 5 } }),
    call('get', '/api/v1/sample/orders/{id}', 200, { url: '/api/v1/sample/orders/WO-1042' }),
    call('get', '/api/v1/sample/line', 200, { url: '/api/v1/sample/line?prefix=sample%2Fspeed' }),
    call('put', '/api/v1/sample/line/setpoint', 200, { body: { speed: 210 } }),
  ],
};

export function sampleCalls(name: string): readonly SampleCall[] {
  return CALLS[name] ?? [];
}
