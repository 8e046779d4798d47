import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take half a minute or more, the longest of each group first. Vitest orders files by their last duration
 * and, if that is unknown (a new clone), by their size; a long file that begins last delays its whole group.
 */
export const LONG: readonly string[] = [
  'test/e2e/store-forward.test.ts',
  'test/e2e/editor-settings.test.ts',
  'test/e2e/editor-drawing.test.ts',
  'test/e2e/settings-pages.test.ts',
  'test/e2e/service-away.test.ts',
  'test/service/uploads-without-a-key.test.ts',
  'main/cli/serve.test.ts',
  'test/package/desktop-dir.test.ts',
  'test/service/swap.test.ts',
  'test/service/receivers.test.ts',
  'test/faults/power/outbox.test.ts',
  'test/faults/disk/outbox.test.ts',
  'main/vault/backup.test.ts',
  'main/keychain/keychain.test.ts',
  'test/service/plugins.test.ts',
  'test/exploits/abuses.test.ts',
  'test/exploits/greed.test.ts',
  'gateway/capabilities/tags/devices/device-drivers.test.ts',
  'test/service/revoke.test.ts',
];

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort.call(this, files);
    return sorted.toSorted((a, b) => groupOf(a) - groupOf(b) || rank(a) - rank(b));
  }
}

const groupOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;

function rank({ moduleId }: TestSpecification): number {
  const place = LONG.findIndex((file) => moduleId.endsWith(`/${file}`));
  return place === -1 ? LONG.length : place;
}
