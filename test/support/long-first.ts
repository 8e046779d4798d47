import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take 20 s or more, the longest of each group first. Vitest orders files by their last duration and, if
 * that is unknown (a new clone), by their size; a long file that begins last delays its whole group.
 */
export const LONG: readonly string[] = [
  'test/e2e/journal.test.ts',
  'test/e2e/store-forward.test.ts',
  'test/e2e/widths.test.ts',
  'test/e2e/editor-settings.test.ts',
  'test/e2e/editor-running.test.ts',
  'test/e2e/data.test.ts',
  'test/e2e/editor-drawing.test.ts',
  'test/e2e/settings-files.test.ts',
  'test/e2e/service-away.test.ts',
  'test/e2e/settings-pages.test.ts',
  'test/e2e/setup.test.ts',
  'test/e2e/overview.test.ts',
  'test/e2e/dev.test.ts',
  'test/e2e/api-keys.test.ts',
  'test/e2e/touch-panel.test.ts',
  'test/e2e/silence.test.ts',
  'test/e2e/first-window.test.ts',
  'test/e2e/pipelines.test.ts',
  'test/e2e/routes.test.ts',
  'test/e2e/leave-guard.test.ts',
  'test/e2e/session-end.test.ts',
  'test/e2e/hostile-page.test.ts',
  'test/e2e/search.test.ts',
  'test/e2e/editor-canvas.test.ts',
  'common/node/idle-memory.test.ts',
  'test/faults/power/outbox.test.ts',
  'main/cli/serve.test.ts',
  'test/faults/disk/outbox.test.ts',
  'test/package/desktop-dir.test.ts',
  'test/monitoring/monitoring.test.ts',
  'gateway/journal/journal.test.ts',
  'main/cli/setup.test.ts',
  'test/releases/old-data.test.ts',
  'test/service/swap.test.ts',
  'test/package/service-tree.test.ts',
  'gateway/egress/outbox/outbox.test.ts',
  'test/service/receivers.test.ts',
  'gateway/sandbox/memory-given-back.test.ts',
  'test/service/strict-http.test.ts',
  'test/service/uploads-without-a-key.test.ts',
  'test/service/tls-limits.test.ts',
  'test/service/time-limits.test.ts',
  'test/service/clock-back.test.ts',
  'test/service/clock-on.test.ts',
  'test/service/quarantine.test.ts',
  'test/exploits/abuses.test.ts',
  'test/exploits/greed.test.ts',
  'gateway/capabilities/tags/devices/device-drivers.test.ts',
  'gateway/capabilities/tags/mqtt/provider.test.ts',
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
