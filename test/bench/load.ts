import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Caller, Workload } from './contract.ts';

const CONNECTIONS = 64;
const run = promisify(execFile);

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface LoadOptions {
  readonly port: number;
  readonly workload: Workload;
  readonly caller: Caller;
  readonly seconds: number;
  readonly folder: string;
  /** The command before wrk, such as ['taskset', '-c', '1']. */
  readonly pin: readonly string[];
  /** Called in turn instead of the single path and key of the workload and the caller. */
  readonly targets?: readonly Target[];
  /** wrk does not check the certificate. */
  readonly tls?: boolean;
  readonly connectionPerRequest?: boolean;
}

export interface Target {
  readonly path: string;
  readonly key: string;
}

/** One round of wrk: 64 connections, one thread. Throws if a response was not 2xx or a socket failed. */
export async function load({
  port,
  workload,
  caller,
  seconds,
  folder,
  pin,
  targets,
  tls = false,
  connectionPerRequest = false,
}: LoadOptions): Promise<LoadResult> {
  const script = join(folder, 'request.lua');
  const headers = { ...caller.headers, ...(connectionPerRequest && { Connection: 'close' }) };
  await writeFile(
    script,
    luaScript(workload, { ...caller, headers }) + (targets === undefined ? '' : luaTargets(targets)),
  );
  const command = [...pin, 'wrk', '-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '-s', script];
  const scheme = tls ? 'https' : 'http';
  const { stdout } = await run(command[0] ?? '', [
    ...command.slice(1),
    `${scheme}://127.0.0.1:${port}${workload.path}`,
  ]);
  const line = stdout.split('\n').find((text) => text.startsWith('{'));
  if (line === undefined) throw new Error(`wrk printed no result:\n${stdout}`);
  const result = JSON.parse(line) as WrkResult;
  if (result.errors > 0) throw new Error(`${result.errors} answers failed under load (${workload.name}):\n${stdout}`);
  return {
    requests: result.requests,
    seconds: result.durationUs / 1e6,
    p50Ms: result.p50Us / 1000,
    p99Ms: result.p99Us / 1000,
  };
}

interface WrkResult {
  requests: number;
  durationUs: number;
  p50Us: number;
  p99Us: number;
  errors: number;
}

/** wrk has no machine-readable output: its `done` hook prints one. */
function luaScript(workload: Workload, caller: Caller): string {
  const headers = { ...caller.headers, ...(workload.body !== null && { 'Content-Type': 'application/json' }) };
  return [
    `wrk.method = ${JSON.stringify(workload.method)}`,
    ...Object.entries(headers).map(
      ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
    ),
    ...(workload.body === null ? [] : [`wrk.body = [==[${workload.body}]==]`]),
    'done = function(summary, latency)',
    '  local e = summary.errors',
    '  io.write(string.format(\'{"requests":%d,"durationUs":%d,"p50Us":%d,"p99Us":%d,"errors":%d}\\n\',',
    '    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),',
    '    e.connect + e.read + e.write + e.status + e.timeout))',
    'end',
    '',
  ].join('\n');
}

/** Requests are generated before the load begins, so that many cost wrk no more than one. */
function luaTargets(targets: readonly Target[]): string {
  return [
    'local targets = {',
    ...targets.map(({ path, key }) => `  { ${JSON.stringify(path)}, ${JSON.stringify(key)} },`),
    '}',
    'local requests, at = {}, 0',
    'init = function()',
    '  for i, target in ipairs(targets) do',
    "    wrk.headers['X-API-Key'] = target[2]",
    '    requests[i] = wrk.format(nil, target[1])',
    '  end',
    'end',
    'request = function()',
    '  at = at % #requests + 1',
    '  return requests[at]',
    'end',
    '',
  ].join('\n');
}
