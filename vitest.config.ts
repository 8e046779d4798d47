import { defineConfig } from 'vitest/config';

/**
 * All tests, unit and service alike. Each file runs in a process of its own, so that a crash or a leaked handle of
 * one file never touches another; two at a time, because the service tests start processes of their own.
 */
export default defineConfig({
  test: {
    include: ['**/*.test.ts', '**/*.test.tsx'],
    exclude: ['**/node_modules/**', '**/dist/**', 'test/bench/peers/**', 'release/**'],
    setupFiles: ['test/support/leaks.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 15_000,
    hookTimeout: 30_000,
    // A file whose process does not end by itself has left something open: it is reported as an error.
    teardownTimeout: 10_000,
    allowOnly: false,
    passWithNoTests: false,
    restoreMocks: true,
    unstubEnvs: true,
  },
});
