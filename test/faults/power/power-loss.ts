import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '#test/paths.ts';
import type { PowerSubject } from '#test/power-subject.ts';
import { tempDir } from '#test/temp-dir.ts';
import type { Recording } from './operations.ts';
import { record, whyNoTrace } from './record.ts';
import { crashedFolders, describeFigures, type Figures, replay, withoutFlushes } from './replay.ts';

/** The workload and the check of a part, with their paths: the workload runs as a separate program, under strace. */
export interface Part {
  readonly name: string;
  /** From the project's root. */
  readonly program: string;
  /** The name of the workload in the arguments of the program. */
  readonly args?: readonly string[];
  readonly subject: PowerSubject;
}

export const skipReason = whyNoTrace();
export const skipped = skipReason === null ? '' : ` (skipped: ${skipReason})`;

const SEED = Number(process.env['SLUICE_SEED'] ?? 20_261_121);
const ASKED = process.env['SLUICE_STATES'];

/** `SLUICE_STATES=all` opens every state, a number that many of each recording. */
export function statesMax(usual: number): number {
  if (ASKED === undefined) return usual;
  return ASKED === 'all' ? Infinity : Number(ASKED);
}

export async function loadSubject(program: string, name: string): Promise<PowerSubject> {
  const module = (await import(pathToFileURL(join(ROOT, program)).href)) as Record<string, PowerSubject | undefined>;
  const subject = module[name];
  if (subject === undefined) throw new Error(`${program} has no ${name}`);
  return subject;
}

export async function recordPart({ program, args = [] }: Part): Promise<Recording> {
  await using dir = await tempDir('sluice-power-');
  // Not without "await": the folder would be removed first.
  return await record(join(ROOT, program), dir.path, args);
}

/** Prints the figures, and returns them. */
export async function replayPart(part: Part, recording: Recording, usual: number): Promise<Figures> {
  const check = part.subject.check.bind(part.subject);
  const figures = await replay(recording, check, { statesMax: statesMax(usual), seed: SEED });
  console.log(describeFigures(part.name, figures));
  return figures;
}

/** Power cuts while a start recovers from an earlier power cut. `again`: that start's workload. */
export async function replayRecovery(
  again: Part,
  recording: Recording,
  cuts: number,
  usual: number,
): Promise<Figures[]> {
  const all: Figures[] = [];
  const check = again.subject.check.bind(again.subject);
  for await (const { folder, marks, text } of crashedFolders(recording, cuts, SEED)) {
    const second = await record(join(ROOT, again.program), folder, again.args);
    const options = { statesMax: statesMax(usual), seed: SEED, marksBefore: marks };
    const figures = await replay(second, check, options);
    all.push({ ...figures, faults: figures.faults.map((fault) => `first cut ${text}; second ${fault}`) });
    console.log(describeFigures(`${again.name}, a second cut`, figures));
  }
  return all;
}

/** Findings of the rig for the same recording without any flush: it must find faults. */
export async function faultsWithoutFlushes(part: Part, recording: Recording, usual: number): Promise<string[]> {
  const check = part.subject.check.bind(part.subject);
  const { faults } = await replay(withoutFlushes(recording), check, { statesMax: usual, seed: SEED });
  return faults;
}
