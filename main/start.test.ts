import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#test/paths.ts';
import { tempDir } from '#test/temp-dir.ts';
import { until } from '#test/until.ts';

/** Other systems always have a screen, and so possibly a window. */
test.skipIf(process.platform !== 'linux')(
  'npm start without Electron serves, prints the address of the UI, and survives the end of the reader of its output',
  async () => {
    await using folder = await tempDir();
    const flags = ['--data', folder.path, '--secret-store', 'file', '--gateway-host', '127.0.0.1'];
    const child = spawn(
      process.execPath,
      [join(ROOT, 'main/start.ts'), ...flags, '--gateway-port', '0', '--ui-port', '0'],
      { env: { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '' }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const ended = once(child, 'exit');
    let told = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (told += text));
    child.stdout.destroy();
    await using _ = { [Symbol.asyncDispose]: () => end(child) };
    const line = (): string | undefined => /^Sluice runs as a service.*$/m.exec(told)?.[0];
    await until('the message is printed', () => line() !== undefined || child.exitCode !== null, { timeoutMs: 40_000 });
    expect(line()).toMatch(
      /^Sluice runs as a service, without a window \(.+\); its UI is at http:\/\/127\.0\.0\.1:\d+$/,
    );
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  },
);

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
