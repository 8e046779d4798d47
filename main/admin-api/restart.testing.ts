import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createLogger } from '#common/node/log.ts';
import { HELD_PURPOSE, openHeldFile } from '../host/held-file.ts';
import { createUnsavedChanges, type UnsavedChanges } from '../host/unsaved-changes.ts';
import { createPeople } from '../people/people.ts';
import { openProjectStore } from '../projects/project-store.ts';
import { createKeyStore } from '../vault/key-store.ts';
import { createAdminApi, createServices } from './app.ts';
import type { Harness } from './harness.testing.ts';

/** Hosts that are killed and started again with the vault and the project store of a harness. */
export interface Restarts {
  /** The harness then has the components of the new host. */
  restart(harness: Harness): void;
  /** Call it before the harness is closed. */
  end(): void;
}

export function createRestarts(): Restarts {
  const killed: UnsavedChanges[] = [];
  const ends: (() => unknown)[] = [];
  return {
    restart({ deps, vault, dataDir }) {
      killed.push(deps.unsaved);
      const log = createLogger('test', () => {});
      const file = openHeldFile(dataDir, vault.derive(HELD_PURPOSE), log);
      Object.assign(deps, {
        keys: createKeyStore(vault, { now: Date.now, randomBytes, lastUsed: () => null }),
        people: createPeople({
          vault,
          dataDir,
          now: Date.now,
          elapsedMs: Date.now,
          log,
          cost: { n: 1024, r: 8, p: 1 },
        }),
        projects: openProjectStore({ file: join(dataDir, 'projects.sqlite'), now: Date.now }),
        unsaved: createUnsavedChanges(log, () => {}, file),
      });
      const app = createAdminApi(createServices(deps));
      ends.push(() => app.emit('close'), deps.projects.close);
    },
    end() {
      // A killed host does not retry: other files run in this process.
      for (const unsaved of killed.splice(0)) for (const { id } of unsaved.list()) unsaved.drop(id);
      for (const end of ends.splice(0)) end();
    },
  };
}
