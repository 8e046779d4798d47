import { join } from 'node:path';
import { memoryDir } from '#test/temp-dir.ts';
import { createRandom } from '#test/random.ts';
import { FORGERIES } from './forge-acts.ts';
import { type Files, makeWorld, type World, writeFiles } from './forge-world.ts';

export interface ForgeReport {
  /** How often each forgery was tried and reported. */
  kinds: Record<string, { tried: number; reported: number }>;
  forgeries: number;
  /** Sentences. Empty: success. */
  silent: string[];
}

/** Makes `forgeries` random forgeries of two data folders, one stopped cleanly and one killed, and verifies each. */
export async function forge(options: {
  forgeries: number;
  seed: number;
  onProgress?(done: number): void;
}): Promise<ForgeReport> {
  await using temp = await memoryDir();
  const random = createRandom(options.seed, 'forge');
  const worlds = [
    await makeWorld(join(temp.path, 'clean'), true),
    await makeWorld(join(temp.path, 'killed'), false),
  ] as const;
  const report: ForgeReport = { kinds: {}, forgeries: 0, silent: [] };
  const folder = join(temp.path, 'forged');
  for (const world of worlds) {
    const before = await reportOn(world, world.files, folder);
    if (!before.isQuiet) throw new Error(`false findings: ${before.text}`);
  }
  for (let tries = 0; report.forgeries < options.forgeries && tries < options.forgeries * 3; tries++) {
    const [name, act] = FORGERIES[tries % FORGERIES.length] ?? FORGERIES[0];
    const world = random.pick(worlds);
    const files: Files = new Map(world.files);
    act(files, random, world);
    if (isSame(files, world.files)) continue;
    report.forgeries += 1;
    const kind = (report.kinds[name] ??= { tried: 0, reported: 0 });
    kind.tried += 1;
    const { isQuiet } = await reportOn(world, files, folder);
    if (isQuiet)
      report.silent.push(
        `${name} (seed ${options.seed}, try ${tries}, ${worlds.indexOf(world) === 0 ? 'clean' : 'killed'}): ${changes(files, world.files)}`,
      );
    else kind.reported += 1;
    if (report.forgeries % 500 === 0) options.onProgress?.(report.forgeries);
  }
  return report;
}

/** Silent: no difference from the state after an ordinary end. */
async function reportOn(world: World, files: Files, folder: string) {
  writeFiles(folder, files);
  const { ok, unproven, uncleanStops, findings } = await world.verify(folder);
  const dropped = uncleanStops.reduce((sum, stop) => sum + stop.bytesDropped, 0);
  return {
    isQuiet: ok && unproven.length === 0 && dropped === 0,
    text: JSON.stringify({ findings, unproven, uncleanStops }),
  };
}

function isSame(a: Files, b: Files): boolean {
  return a.size === b.size && [...a].every(([name, bytes]) => b.get(name)?.equals(bytes) ?? false);
}

function changes(files: Files, before: Files): string {
  const names = new Set([...files.keys(), ...before.keys()]);
  return [...names]
    .filter((name) => !(files.get(name)?.equals(before.get(name) ?? Buffer.alloc(0)) ?? false))
    .map((name) => `${name} ${before.get(name)?.length ?? '-'} → ${files.get(name)?.length ?? '-'} bytes`)
    .join(', ');
}
