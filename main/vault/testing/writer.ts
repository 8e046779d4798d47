import { note, notes, openTestVault } from './open-test-vault.ts';

/** Opens the vault of the folder named by its argument and writes note after note; prints how many are acknowledged. */
const vault = await openTestVault(process.argv[2] ?? '');
for (let count = notes(vault).length; ; count++) {
  await note(vault, `n${String(count).padStart(6, '0')}`);
  process.send?.(count + 1);
}
