import { type PowerSubject, runWorkload } from '#test/power-subject.ts';
import { note, notes, openTestVault } from './open-test-vault.ts';

/**
 * The vault under power cuts: a first start, changes one by one, several at once, a clean end, another start. Marks are
 * the names of acknowledged changes.
 */
export const vaultSubject: PowerSubject = {
  async workload(folder, done) {
    const first = await openTestVault(folder);
    for (const name of ['a', 'b', 'c']) {
      await note(first, name, name.repeat(3_000));
      done(name);
    }
    const together = async (name: string) => {
      await note(first, name);
      done(name);
    };
    await Promise.all(['d', 'e', 'f'].map(together));
    await first.close();
    await noteAll(folder, ['g', 'h'], done);
  },
  check,
};

/** A start on the state after a power cut, for the cut that happens during the start. */
export const againSubject: PowerSubject = {
  workload: (folder, done) => noteAll(folder, ['x', 'y'], done),
  check,
};

async function noteAll(folder: string, names: readonly string[], done: (name: string) => void): Promise<void> {
  const vault = await openTestVault(folder);
  for (const name of names) {
    await note(vault, name);
    done(name);
  }
  await vault.close();
}

async function check(folder: string, marks: readonly unknown[]): Promise<void> {
  const vault = await openTestVault(folder);
  try {
    const found = notes(vault);
    const lost = marks.filter((name) => !found.includes(String(name)));
    if (lost.length > 0) throw new Error(`lost: ${lost.join(', ')} (there: ${found.join(', ')})`);
    if (vault.rolledBack) throw new Error('it counts as rolled back');
    await note(vault, 'after');
    if (!notes(vault).includes('after')) throw new Error('it does not continue');
  } finally {
    await vault.close();
  }
}

const SUBJECTS: Readonly<Record<string, PowerSubject>> = { vault: vaultSubject, again: againSubject };

if (import.meta.main) await runWorkload(SUBJECTS[process.argv[3] ?? '']?.workload);
