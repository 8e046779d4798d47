import { defineConfig } from 'vitest/config';
import type { InlineConfig } from 'vitest/node';
import { cheapHashes } from './test/cheap-hashes.ts';
import { LongFirst } from './test/support/long-first.ts';

const service = (...names: string[]): string[] => names.map((name) => `test/service/${name}.test.ts`);
const DEVICES = 'gateway/capabilities/tags/devices';

/** Kills and load, judged by what is left of the machine: one file after the other. */
const ALONE = [
  ...service('kill', 'caps', 'lifecycle', 'rate'),
  'main/cli/projects-as-code.test.ts',
  'test/faults/faults.test.ts',
];

/** These use a core each and have limits in tenths of seconds, or hash at the product's cost: two at a time. */
const PAIRS = [
  'test/exploits/{abuses,greed}.test.ts',
  'test/hardness/fuzz.test.ts',
  `${DEVICES}/device-{drivers,peers}.test.ts`,
  'gateway/capabilities/tags/mqtt/provider.test.ts',
  'gateway/egress/direct.test.ts',
  'common/node/journal/writer.test.ts',
  ...service('revoke'),
  'main/people/limits.test.ts',
  'main/vault/backup-cipher.test.ts',
];

/** Limits in whole seconds, for which they mostly wait. */
const WAITING = service(
  'time-limits',
  'tls-limits',
  'clock-on',
  'clock-back',
  'journal-faults',
  'orphans',
  'plugins',
  'quarantine',
  'uploads-without-a-key',
);

const PAGES = 'test/e2e/**/*.test.ts';
const DESKTOP = 'test/desktop/**/*.test.ts';
/** Set by test/run.ts: files whose programs the machine does not have. */
const LEFT_OUT = JSON.parse(process.env['SLUICE_TEST_LEFT_OUT'] ?? '[]') as string[];
const OUTSIDE = ['**/node_modules/**', '**/dist/**', 'test/bench/peers/**', 'release/**', ...LEFT_OUT];
/** `npm test` bundles the programs with it: both sides of a test must hash alike. */
const HASHING = process.env['SLUICE_TEST_PROGRAMS'] === undefined ? [] : [cheapHashes()];
const TRIES = process.env['CI'] === undefined ? 0 : 2;

/**
 * Files that may share a process: they open nothing that they do not close in it (leaks.ts checks each file). The
 * start of a process and the loading of the tested code cost more than most of these tests. Many of the other files
 * measure their process or change it: its memory, flags of V8, listeners.
 */
const SHARING = [
  'build/*.test.ts',
  'build/package/**/*.test.ts',
  'common/*.test.ts',
  'common/{alarms,capabilities,contract,errors,languages,model,traffic}/**/*.test.ts',
  'common/node/{atomic-file,helper-program,key-hash,log,may-exist,pending-requests}.test.ts',
  'common/node/journal/*.test.ts',
  'gateway/{checks,control,gates,http,net,pipeline,routing,traffic}/**/*.test.ts',
  'gateway/egress/{http/*,outbox/pending-shares,outbox/retry,outbox/shares}.test.ts',
  'gateway/capabilities/*.test.ts',
  'gateway/capabilities/db/{pool,values,sql/scan}.test.ts',
  'gateway/capabilities/{historian,messages,scripts}/**/*.test.ts',
  'gateway/capabilities/tags/*.test.ts',
  'gateway/capabilities/tags/devices/{device-proxy,news-queue}.test.ts',
  'gateway/capabilities/tags/{modbus,mqtt,simulator}/**/*.test.ts',
  'main/cli/{entry-at,launcher-gone,options,packaged,printable,read-secret,service-secret,write-new-file}.test.ts',
  'main/host/{alarm-records,alarms,commands,control-socket,egress-alarms,held-file,hourly-heads}.test.ts',
  'main/host/{nightly-verification,quarantine,restore-upload,setup-commands,target-names,unsaved-changes}.test.ts',
  'main/vault/{archive,backup*,data-folder,key-store,settings-store,swap}.test.ts',
  'main/{admin-api,desktop,disk,metrics,people,projects,publish,systemd,third-party,tls,traffic}/**/*.test.ts',
  'plugins/**/*.test.ts',
  'renderer/**/*.test.{ts,tsx}',
  'test/*.test.ts',
  'test/{bench,exploits,hardness,machines,openapi,releases,service,support}/*.test.ts',
];

/**
 * All tests, unit and service alike. Each file but those of PAGES and SHARING runs in a process of its own, so that a
 * crash or a leaked handle of one file never touches another. Groups follow one another; the number of files that run
 * at a time depends on the group. For two cores: a file of the first groups uses half to three quarters of one core,
 * and waits otherwise.
 */
const shared = {
  setupFiles: ['test/support/leaks.ts'],
  pool: 'forks',
  // Bounds against hanging, not judgements of speed: a shared machine is starved for seconds at a time.
  testTimeout: 60_000,
  hookTimeout: 90_000,
  expect: { poll: { timeout: 15_000 } },
  restoreMocks: true,
  unstubEnvs: true,
  unstubGlobals: true,
} satisfies InlineConfig;

export default defineConfig({
  test: {
    allowOnly: false,
    passWithNoTests: false,
    // A file whose process does not end by itself has left something open: it is reported as an error.
    teardownTimeout: 10_000,
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          ...shared,
          name: 'pages',
          // One browser for the files of a process, a service and a gateway for each file. The tests of a file
          // depend on each other: a retry repeats the whole file.
          environment: './test/e2e/browser-environment.ts',
          isolate: false,
          setupFiles: ['test/e2e/closed-windows.ts', ...shared.setupFiles],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // As long as a page waits for what it looks for (test/e2e/chromium.ts): no page test judges speed by polling.
          expect: { poll: { timeout: 20_000 } },
          include: [PAGES],
          exclude: OUTSIDE,
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        plugins: HASHING,
        test: {
          ...shared,
          name: 'together',
          include: ['**/*.test.ts', '**/*.test.tsx'],
          exclude: [...OUTSIDE, ...SHARING, ...WAITING, ...PAIRS, ...ALONE, PAGES, DESKTOP],
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        plugins: HASHING,
        test: {
          ...shared,
          name: 'sharing',
          include: SHARING,
          exclude: [...OUTSIDE, ...WAITING, ...PAIRS, ...ALONE],
          isolate: false,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: 'desktop',
          testTimeout: 120_000,
          include: [DESKTOP],
          exclude: OUTSIDE,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      // These compare the product's time limits with the clock: a starved machine gets two more tries.
      {
        test: {
          ...shared,
          name: 'waiting',
          retry: TRIES,
          // All cases of a file at once (`describe.concurrent`).
          maxConcurrency: 20,
          include: WAITING,
          exclude: OUTSIDE,
          // Most of them leave the machine idle for most of the time.
          maxWorkers: 6,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...shared,
          name: 'pairs',
          retry: TRIES,
          include: PAIRS,
          exclude: OUTSIDE,
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...shared,
          name: 'alone',
          retry: TRIES,
          include: ALONE,
          exclude: OUTSIDE,
          maxWorkers: 1,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
