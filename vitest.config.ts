import { defineConfig } from 'vitest/config';
import type { InlineConfig } from 'vitest/node';

/** Load, kills and limits in seconds: these have the machine to themselves, one file after the other. */
const ALONE = [
  ...[
    'kill',
    'revoke',
    'caps',
    'time-limits',
    'journal-faults',
    'lifecycle',
    'rate',
    'orphans',
    'plugins',
    'tls-limits',
    'clock-steps',
  ].map((name) => `test/service/${name}.test.ts`),
  'test/exploits/abuses.test.ts',
  'test/faults/faults.test.ts',
  'test/hardness/fuzz.test.ts',
  'gateway/capabilities/tags/devices/device-drivers.test.ts',
  'gateway/capabilities/tags/devices/device-peers.test.ts',
];

const PAGES = 'test/e2e/**/*.test.ts';
const DESKTOP = 'test/desktop/**/*.test.ts';
const OUTSIDE = ['**/node_modules/**', '**/dist/**', 'test/bench/peers/**', 'release/**'];

/**
 * All tests, unit and service alike. Each file runs in a process of its own, so that a crash or a leaked handle of
 * one file never touches another; two at a time, because the service tests start processes of their own.
 */
const shared = {
  setupFiles: ['test/support/leaks.ts'],
  pool: 'forks',
  // Bounds against hanging, not judgements of speed: a shared machine is starved for seconds at a time.
  testTimeout: 60_000,
  hookTimeout: 90_000,
  restoreMocks: true,
  unstubEnvs: true,
} satisfies InlineConfig;

export default defineConfig({
  test: {
    allowOnly: false,
    passWithNoTests: false,
    // A file whose process does not end by itself has left something open: it is reported as an error.
    teardownTimeout: 10_000,
    projects: [
      {
        test: {
          ...shared,
          name: 'together',
          include: ['**/*.test.ts', '**/*.test.tsx'],
          exclude: [...OUTSIDE, ...ALONE, PAGES, DESKTOP],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'pages',
          // A browser, a service and a gateway each: a shared machine that is starved gets two more tries.
          retry: process.env['CI'] === undefined ? 0 : 2,
          testTimeout: 120_000,
          include: [PAGES],
          exclude: OUTSIDE,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'desktop',
          testTimeout: 120_000,
          include: [DESKTOP],
          exclude: OUTSIDE,
          maxWorkers: 1,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'alone',
          // These hold the product's time limits against the clock: a starved machine gets two more tries.
          retry: process.env['CI'] === undefined ? 0 : 2,
          include: ALONE,
          exclude: OUTSIDE,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
