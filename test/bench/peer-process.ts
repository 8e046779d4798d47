import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { within } from '#test/until.ts';
import type { RunningContestant } from './contract.ts';

const PEERS = fileURLToPath(new URL('peers/', import.meta.url));

/** Installs the package of the peers once; it is not part of the product's own installation. */
export async function installPeers(): Promise<void> {
  if (['node-red', 'bullmq'].every((name) => existsSync(`${PEERS}node_modules/${name}`))) return;
  process.stderr.write('Installing the peers (test/bench/peers) …\n');
  const npm = spawn('npm', ['ci', '--ignore-scripts'], { cwd: PEERS, stdio: ['ignore', 2, 2] });
  const [code] = (await once(npm, 'exit')) as [number | null];
  if (code !== 0) throw new Error('npm ci in test/bench/peers failed; its output is above');
}

/** A program of the package, by its file name. */
export function peerFile(name: string): string {
  return `${PEERS}${name}`;
}

/** Starts one peer, pinned as requested, and waits until it reports the port on which it listens. */
export async function startPeer(file: string, config: string, pin: string[]): Promise<RunningContestant> {
  const command = [...pin, process.execPath, peerFile(file)];
  const env = { ...process.env, NODE_ENV: 'production', BENCH_CONFIG: config };
  const child = spawn(command[0] ?? process.execPath, command.slice(1), { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const exited = once(child, 'exit').then(() => {});
  const lines = createInterface({ input: child.stdout });
  const announced = new Promise<number>((resolve, reject) => {
    lines.on('line', (line) => line.startsWith('{"port"') && resolve((JSON.parse(line) as { port: number }).port));
    void exited.then(() => reject(new Error(`${file} ended before it listened`)));
  });
  const port = await within(60_000, `${file} listens`, announced);
  return {
    port,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await within(5000, `${file} ends`, exited).catch(kill);
      process.removeListener('exit', kill);
    },
  };
}
