import { parentPort } from 'node:worker_threads';
import { NodeError } from '#sdk';
import { type LinearPattern, linearPattern } from '#sdk/linear-pattern.ts';
import type { MatchEnd, MatchJob, MatchNews } from './messages.ts';

/** The thread that runs expensive matches (pattern-thread.ts). */
const COMPILED_MAX = 64;
const compiled = new Map<string, LinearPattern>();

parentPort?.on('message', (job: MatchJob) => {
  const startMs = cpuMs();
  parentPort?.postMessage({ begunCpuMs: startMs } satisfies MatchNews);
  parentPort?.postMessage(match(job, startMs) satisfies MatchNews);
});

function match({ pattern, text }: MatchJob, startMs: number): MatchEnd {
  try {
    return { ok: true, matches: patternOf(pattern).test(text), cpuMs: cpuMs() - startMs };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { message } = error;
    return { ok: false, code: error instanceof NodeError ? error.code : 'node_failed', message };
  }
}

function patternOf(source: string): LinearPattern {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  const [oldest] = compiled.keys();
  if (compiled.size >= COMPILED_MAX && oldest !== undefined) compiled.delete(oldest);
  const pattern = linearPattern(source);
  compiled.set(source, pattern);
  return pattern;
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
