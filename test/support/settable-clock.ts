import { existsSync, globSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SERVICE_ENTRY } from './paths.ts';
import { tempDir } from './temp-dir.ts';

/** A time of day for the service, which a test can set while it runs. */
export interface SettableClock extends AsyncDisposable {
  /** For `startService`: starts the service, and the gateway that it forks, with this clock. */
  readonly program: readonly [string, ...string[]];
  /** From now on, the time of day is the machine's plus this; the monotonic clock is not affected. */
  set(aheadMs: number): Promise<void>;
}

/** Debian's libfaketime: it replaces the functions of the C library for the time of day. */
const LIBRARY = ['/usr/lib/*/faketime/libfaketime.so.1', '/usr/lib/faketime/libfaketime.so.1'];

/** Why a clock cannot be set here, or null. */
export function noClockReason(): string | null {
  if (process.platform !== 'linux') return 'a clock can be set for one program on Linux alone';
  return library() === undefined ? 'libfaketime of Debian’s packages is not installed' : null;
}

export async function settableClock(): Promise<SettableClock> {
  const folder = await tempDir('sluice-clock-');
  const ahead = join(folder.path, 'ahead');
  const node = join(folder.path, 'node');
  await writeFile(ahead, '+0\n');
  await writeFile(node, nodeUnder(ahead, node));
  await chmod(node, 0o700);
  return {
    program: [node, SERVICE_ENTRY],
    // Read whenever the time is queried: it is written in one call, and is never empty.
    set: (aheadMs) => writeFile(ahead, `${aheadMs < 0 ? '-' : '+'}${Math.abs(aheadMs) / 1000}\n`, { flag: 'r+' }),
    [Symbol.asyncDispose]: () => folder.remove(),
  };
}

/**
 * The host forks the same program as itself: here that is the script, otherwise the gateway would use the machine's
 * clock.
 */
function nodeUnder(ahead: string, self: string): string {
  const again = `data:text/javascript,process.execPath=${encodeURIComponent(JSON.stringify(self))}`;
  return [
    '#!/bin/sh',
    `export LD_PRELOAD=${library() ?? ''} FAKETIME_TIMESTAMP_FILE=${ahead}`,
    'export FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1 NO_FAKE_STAT=1',
    `exec ${process.execPath} --import '${again}' "$@"`,
    '',
  ].join('\n');
}

function library(): string | undefined {
  return globSync(LIBRARY).find((file) => existsSync(file));
}
