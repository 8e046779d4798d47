import { afterAll, expect, vi } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs around every test file: servers, sockets and processes that were opened in it must be closed when it has ended
 * (after its own `afterAll`), otherwise the file fails. Handles that close automatically get a second to do so. A fake
 * clock must be removed too: some files share a process, and time would stop for the next one.
 */
const WATCHED = new Set(['TCPServerWrap', 'TCPSocketWrap', 'PipeServerWrap', 'ProcessWrap', 'UDPWrap']);
const PATIENCE_MS = 1000;

const open = () =>
  process
    .getActiveResourcesInfo()
    .filter((kind) => WATCHED.has(kind))
    .toSorted();
const before = open();

afterAll(async () => {
  const faked = vi.isFakeTimers();
  vi.useRealTimers();
  const deadline = performance.now() + PATIENCE_MS;
  while (open().length > before.length && performance.now() < deadline) await sleep(20);
  expect(open(), 'left open by this test file').toEqual(before);
  expect(faked, 'the clock is still faked').toBe(false);
});
