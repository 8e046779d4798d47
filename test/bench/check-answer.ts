import { isDeepStrictEqual } from 'node:util';
import { call } from '#test/raw-request.ts';
import type { Caller, RunningContestant, Workload } from './contract.ts';

/** Throws unless the contestant returns exactly the expected response. */
export async function checkAnswer(
  name: string,
  { port, ca }: Pick<RunningContestant, 'port' | 'ca'>,
  workload: Workload,
  caller: Caller,
): Promise<void> {
  const { method, path, body, status, answer } = workload;
  const headers = { ...caller.headers, ...(body !== null && { 'Content-Type': 'application/json' }) };
  const response = await call(port, {
    method,
    path,
    headers,
    ...(body !== null && { body }),
    ...(ca !== undefined && { connect: { tls: { ca } } }),
  });
  const right = response.status === status && isDeepStrictEqual(parse(response.text()), answer);
  if (right) return;
  const got = `${response.status} ${response.text().slice(0, 200)}`;
  throw new Error(`${name} answers ${method} ${path} with ${got}; expected ${status} ${JSON.stringify(answer)}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
