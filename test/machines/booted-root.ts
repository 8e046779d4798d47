import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { until } from '#test/until.ts';

const MIRROR = 'http://deb.debian.org/debian';
const SUITE = 'bookworm';
const PACKAGES = 'systemd,systemd-sysv,dbus,iproute2,libstdc++6';
const BOOT_MS_MAX = 60_000;
const HALT_MS_MAX = 30_000;
const OUTPUT_BYTES_MAX = 16 * 1024 ** 2;

/** A small Debian system in a folder, with systemd; a copy of `given`, a folder that debootstrap has made before. */
export function makeSystemdRoot(given: string | undefined): string {
  const root = mkdtempSync(join(tmpdir(), 'sluice-systemd-'));
  chmodSync(root, 0o755);
  if (given === undefined) run('debootstrap', '--variant=minbase', `--include=${PACKAGES}`, SUITE, root, MIRROR);
  else run('cp', '-a', `${given}/.`, root);
  return root;
}

export function removeSystemdRoot(root: string): void {
  // Left behind by systemd-nspawn where /run is no file system of its own.
  const propagated = `/run/systemd/nspawn/propagate/${basename(root)}`;
  if (existsSync(propagated)) rmdirSync(propagated);
  if (readFileSync('/proc/mounts', 'utf8').includes(` ${root}`)) throw new Error(`something is mounted in ${root}`);
  rmSync(root, { recursive: true });
}

/** A booted system. It shares this process's network, which is one of its own (unshare). */
export class BootedRoot {
  readonly #root: string;
  readonly #nspawn: ChildProcess;
  readonly #ended: Promise<unknown>;
  #init = 0;

  private constructor(root: string) {
    this.#root = root;
    // Without a systemd around it, nobody could be asked for a scope.
    const keepUnit = existsSync('/run/systemd/system') ? [] : ['--keep-unit'];
    const words = ['--quiet', '--register=no', ...keepUnit, '--console=pipe', '--boot', `--directory=${root}`];
    // Halted when this process ends, however it ends.
    this.#nspawn = spawn('setpriv', ['--pdeathsig', 'TERM', 'systemd-nspawn', ...words], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    this.#ended = once(this.#nspawn, 'exit');
  }

  static async boot(root: string): Promise<BootedRoot> {
    const booted = new BootedRoot(root);
    try {
      await until('systemd has started', () => booted.#isUp(), { timeoutMs: BOOT_MS_MAX, everyMs: 200 });
    } catch (error) {
      await booted.halt();
      throw error;
    }
    return booted;
  }

  #isUp(): boolean {
    if (this.#nspawn.exitCode !== null) throw new Error(`systemd-nspawn ended with ${this.#nspawn.exitCode}`);
    const { pid } = this.#nspawn;
    const [init = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    if (init === '') return false;
    this.#init = Number(init);
    return ['running', 'degraded'].includes(this.attempt('systemctl', 'is-system-running').out);
  }

  /** Runs a command in it, as root; gives what it printed, and throws that when it fails. */
  run(...command: string[]): string {
    const { code, out } = this.attempt(...command);
    if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${out}`);
    return out;
  }

  attempt(...command: string[]): { code: number | null; out: string } {
    const env = ['/usr/bin/env', '-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'LC_ALL=C', 'SYSTEMD_COLORS=0'];
    const { status, stdout, stderr } = spawnSync(
      'nsenter',
      ['--target', String(this.#init), '--mount', '--uts', '--ipc', '--pid', '--', ...env, ...command],
      { encoding: 'utf8', maxBuffer: OUTPUT_BYTES_MAX },
    );
    return { code: status, out: `${stdout}${stderr}`.trim() };
  }

  /** Copies a file into it; gives its path there. */
  put(file: string): string {
    const path = `/root/${basename(file)}`;
    cpSync(file, join(this.#root, path));
    return path;
  }

  async halt(): Promise<void> {
    const { exitCode, signalCode } = this.#nspawn;
    if (exitCode !== null || signalCode !== null) return;
    this.#nspawn.kill('SIGTERM');
    const killed = setTimeout(() => this.#nspawn.kill('SIGKILL'), HALT_MS_MAX);
    await this.#ended;
    clearTimeout(killed);
  }
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
}
