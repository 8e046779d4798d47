/**
 * `node test/bench/many-requests.ts [--requests N]`: sends ten million requests by default, with every control on,
 * through one gateway as fast as one caller process can, and measures the gateway's memory. Loopback only; removes its
 * files. Prints figures after each round, which growth.ts evaluates. wrk must be installed.
 */
import { parseArgs } from 'node:util';
import { tempDir } from '#test/temp-dir.ts';
import { contestants } from './contestants.ts';
import { judgeGrowth, mib } from './growth.ts';
import { load } from './load.ts';
import { requireMachine } from './machine.ts';
import { runMain } from './run-main.ts';
import { familySetSize } from './set-size.ts';
import { benchCaller, GET_PARAM, POST_JSON } from './workloads.ts';

const REQUESTS = 10_000_000;
const ROUND_SECONDS = 10;
const SERVER_PIN = ['taskset', '-c', '0'];
const LOAD_PIN = ['taskset', '-c', '1'];

async function main(): Promise<void> {
  const wanted = readRequests();
  requireMachine();
  const caller = benchCaller();
  const sluice = contestants(caller, SERVER_PIN).find(({ name }) => name === 'Sluice');
  if (sluice === undefined) throw new Error('the bench has no contestant "Sluice"');
  await using folder = await tempDir('sluice-bench-');
  const { port, pid, stop } = await sluice.start();
  try {
    const samples: number[] = [];
    let done = 0;
    for (let round = 0; done < wanted; round++) {
      const workload = round % 2 === 0 ? GET_PARAM : POST_JSON;
      const options = { port, workload, caller, folder: folder.path, pin: LOAD_PIN };
      const { requests, seconds, p99Ms } = await load({ ...options, seconds: ROUND_SECONDS });
      done += requests;
      samples.push(familySetSize(pid));
      const perSecond = (requests / seconds).toFixed(0);
      console.log(`${done} requests, ${perSecond}/s, p99 ${p99Ms.toFixed(1)} ms: ${mib(samples.at(-1) ?? 0)}`);
    }
    judgeGrowth(samples);
  } finally {
    await stop();
  }
}

function readRequests(): number {
  const { values } = parseArgs({ options: { requests: { type: 'string' } } });
  const requests = Number(values.requests ?? REQUESTS);
  if (!Number.isInteger(requests) || requests < 1)
    throw new Error(`--requests is "${values.requests}"; expected a whole number`);
  return requests;
}

await runMain(main, 'expected --requests N');
