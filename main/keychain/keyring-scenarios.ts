import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { restoreBackup, writeBackup } from '../vault/backup.ts';
import { note, notes, openTestVault, silent } from '../vault/testing/open-test-vault.ts';
import { createKeychainClient } from './keychain-client.ts';
import { createKeychainStore } from './keychain-store.ts';
import { openSecretStore } from './open-store.ts';
import { lockCollection, servicePid } from './testing/keyring-service.ts';

/**
 * Scenarios of keychain.test.ts that run inside a separate D-Bus session: `node keyring-scenarios.ts <name> <folder>`
 * prints one line of JSON.
 */
const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const failure = (work: Promise<unknown>): Promise<string> => work.then(() => 'no error', reason);

const scenarios: Record<string, (folder: string) => Promise<unknown>> = {
  async vault(folder) {
    const options = { secretStore: 'auto', packaged: true } as const;
    const first = await openTestVault(folder, options);
    await note(first, 'a');
    const older = readFileSync(join(folder, 'vault.db'));
    await note(first, 'b');
    const pepper = first.derive('api-key-pepper');
    await first.close();
    const second = await openTestVault(folder, options);
    const reopened = { notes: notes(second), samePepper: second.derive('api-key-pepper').equals(pepper) };
    const { secretStore, notices, rolledBack } = second;
    await second.close();
    writeFileSync(join(folder, 'vault.db'), older);
    const third = await openTestVault(folder, options);
    const putBack = { notes: notes(third), rolledBack: third.rolledBack };
    await third.close();
    return { secretStore, notices, rolledBack, reopened, putBack, files: readdirSync(folder) };
  },

  async store() {
    const store = createKeychainStore(createKeychainClient());
    const secret = Buffer.alloc(32, 7);
    await store.save('one', secret, 41);
    await store.save('one', secret, 42);
    const found = await store.load('one');
    const other = await store.load('two');
    await store.forget('one');
    return {
      same: found?.secret.equals(secret),
      generation: found?.generation,
      other,
      forgotten: await store.load('one'),
    };
  },

  /** The vault that a restore replaced, restored by hand afterwards. */
  async restored(folder) {
    const options = { secretStore: 'keychain' } as const;
    const first = await openTestVault(folder, options);
    await note(first, 'a');
    const file = join(folder, 'line.backup');
    writeFileSync(
      file,
      await buffer(await writeBackup({ vault: first, dataDir: folder, passphrase: 'a long passphrase' })),
    );
    const pepper = first.derive('api-key-pepper');
    await first.close();
    const restore = { file, passphrase: 'a long passphrase', dataDir: folder, packaged: true, log: silent, ...options };
    const { replaced } = await restoreBackup(restore);
    const second = await openTestVault(folder, options);
    const restored = { notes: notes(second), samePepper: second.derive('api-key-pepper').equals(pepper) };
    await second.close();
    renameSync(join(replaced ?? '', 'vault.db'), join(folder, 'vault.db'));
    const third = await openTestVault(folder, options);
    const { rolledBack } = third;
    await third.close();
    return { restored, rolledBack };
  },

  async locked(folder) {
    const options = { secretStore: 'auto', packaged: false } as const;
    await (await openTestVault(folder, options)).close();
    lockCollection();
    const existing = await failure(openTestVault(folder, options));
    const fresh = await failure(openSecretStore('keychain', false, { folder, log: silent }));
    return { existing, fresh };
  },

  async halted(folder) {
    let time = 0;
    const vault = await openTestVault(folder, { secretStore: 'keychain', now: () => time });
    process.kill(servicePid(), 'SIGSTOP');
    await note(vault, 'a');
    const during = { notes: notes(vault), codes: vault.notices.map(({ code }) => code) };
    process.kill(servicePid(), 'SIGCONT');
    time += 60_000;
    await note(vault, 'b');
    const after = { notes: notes(vault), codes: vault.notices.map(({ code }) => code) };
    await vault.close();
    return { during, after };
  },

  /** The response never arrives: the process must be able to exit nevertheless. */
  async ending() {
    const client = createKeychainClient();
    await client.set('x', 'y', 5_000);
    const pid = servicePid();
    process.kill(pid, 'SIGSTOP');
    const unanswered = await failure(client.get('x', 200));
    return { unanswered, pid };
  },

  async none(folder) {
    const packaged = await failure(openTestVault(folder, { secretStore: 'auto', packaged: true }));
    const asked = await failure(openTestVault(folder, { secretStore: 'keychain' }));
    const filesAfterRefusal = readdirSync(folder);
    const vault = await openTestVault(folder, { secretStore: 'auto' });
    const { secretStore, notices } = vault;
    await vault.close();
    return { packaged, asked, filesAfterRefusal, secretStore, codes: notices.map(({ code }) => code) };
  },
};

const [, , name = '', folder = ''] = process.argv;
process.stdout.write(JSON.stringify((await scenarios[name]?.(folder)) ?? null) + '\n');
