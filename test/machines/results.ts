import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { cacheFolder } from './cache.ts';

/** The path of the clone in the user's home. */
export const CHECKOUT = 'sluice';

const demoResult = z.strictObject({
  kind: z.literal('demo'),
  /** `refused`: with one sentence, before anything was installed. */
  outcome: z.enum(['served', 'refused', 'failed']),
  detail: z.string(),
  /** Lines printed by npm ci. */
  installLines: z.number(),
  installSeconds: z.number(),
  /** From the start of npm ci on; null if no call succeeded. */
  firstCallSeconds: z.number().nullable(),
});
const testsResult = z.strictObject({
  kind: z.literal('tests'),
  outcome: z.enum(['passed', 'failed']),
  detail: z.string(),
  /** Of npm ci and npm test. */
  minutes: z.number(),
  skips: z.array(z.string()),
});
export type DemoResult = z.infer<typeof demoResult>;
export type TestsResult = z.infer<typeof testsResult>;

const rowResult = z.strictObject({
  id: z.string(),
  node: z.string(),
  npm: z.string(),
  result: z.discriminatedUnion('kind', [demoResult, testsResult]),
});
export type RowResult = z.infer<typeof rowResult>;

/** Throws if the file has other content. */
export function readResult(file: string): RowResult {
  return rowResult.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** The results of one commit, so that the same command resumes an interrupted run. */
export class Results {
  readonly #file: string;

  constructor(commit: string) {
    this.#file = join(cacheFolder('results'), `${commit}.json`);
  }

  all(): RowResult[] {
    return existsSync(this.#file) ? z.array(rowResult).parse(JSON.parse(readFileSync(this.#file, 'utf8'))) : [];
  }

  find(id: string, kind: RowResult['result']['kind']): RowResult | undefined {
    return this.all().find((one) => one.id === id && one.result.kind === kind);
  }

  put(row: RowResult): void {
    const others = this.all().filter((one) => one.id !== row.id || one.result.kind !== row.result.kind);
    writeFileSync(this.#file, `${JSON.stringify([...others, row], null, 2)}\n`);
  }
}

/** The most useful line: the message of Sluice, else the first error of npm, else the last line. */
export function sentenceOf(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const own = lines.find((line) => /\bSluice needs\b/.test(line));
  return own ?? lines.find((line) => /^npm (error|ERR!)/.test(line)) ?? lines.at(-1) ?? '';
}
