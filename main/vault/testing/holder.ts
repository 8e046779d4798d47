import { note, openTestVault } from './open-test-vault.ts';

/** Opens the vault of the folder named by its argument, writes to it, reports that and holds it until it is killed. */
const vault = await openTestVault(process.argv[2] ?? '');
await note(vault, 'held');
process.send?.('open');
setInterval(() => {}, 60_000);
