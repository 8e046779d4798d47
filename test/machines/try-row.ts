import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '#test/paths.ts';
import { tryDemo } from './first-call.ts';
import { layersOf } from './layers.ts';
import { enterRoot, giveToUser, lendNpmCache, type MachineRoot, mountRoot } from './machine-root.ts';
import { copyNpmSettings } from './npm-settings.ts';
import { CHECKOUT, type RowResult } from './results.ts';
import type { RowTask } from './row-task.ts';
import { rowNamed } from './rows.ts';
import { must } from './run-program.ts';
import { tryTests } from './whole-tests.ts';

/** One row, started by fresh.ts in separate namespaces, with the task as JSON. */
const { id, kind, scratch, log, commit, cold, filter } = JSON.parse(process.argv[2] ?? '') as RowTask;
const row = rowNamed(id);
const layers = await layersOf(row, log);
const root = await mountRoot({ scratch, layers, user: row.user, suite: row.suite }, log);
await copyNpmSettings(root, log);
if (!cold) await lendNpmCache(root, log);
await cloneInto(root);
const node = (await must(enterRoot(root, 'node --version'), log)).trim();
const npm = (await must(enterRoot(root, 'npm --version'), log)).trim();
const result = kind === 'tests' ? await tryTests(root, filter, log) : await tryDemo(root, log);
writeFileSync(join(scratch, 'result.json'), JSON.stringify({ id, node, npm, result } satisfies RowResult));

/** A clone of the commit, without other files of this checkout. */
async function cloneInto({ path, home }: MachineRoot): Promise<void> {
  const checkout = join(path, home, CHECKOUT);
  await must(['git', 'clone', '--quiet', '--no-hardlinks', ROOT, checkout], log);
  await must(['git', '-C', checkout, '-c', 'advice.detachedHead=false', 'checkout', '--quiet', commit], log);
  await giveToUser(root, CHECKOUT, log);
}
