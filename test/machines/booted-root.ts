import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, rmdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeDebianRoot, removeDebianRoot } from '#test/debian-root.ts';
import { until } from '#test/until.ts';

const PACKAGES = ['systemd', 'systemd-sysv', 'dbus', 'iproute2', 'libstdc++6'];
const BOOT_MS_MAX = 60_000;
const HALT_MS_MAX = 30_000;
const OUTPUT_BYTES_MAX = 16 * 1024 ** 2;

/** A Debian system with systemd, as created by `makeDebianRoot`. */
export function makeSystemdRoot(given: string | undefined): string {
  return makeDebianRoot('sluice-systemd-', PACKAGES, given);
}

export function removeSystemdRoot(root: string): void {
  // systemd-nspawn leaves this behind when /run is not a separate file system.
  const propagated = `/run/systemd/nspawn/propagate/${basename(root)}`;
  if (existsSync(propagated)) rmdirSync(propagated);
  removeDebianRoot(root);
}

/** A booted system. It shares the network namespace of this process, which was started in its own (unshare). */
export class BootedRoot {
  readonly #root: string;
  readonly #nspawn: ChildProcess;
  readonly #ended: Promise<unknown>;
  #init = 0;

  private constructor(root: string) {
    this.#root = root;
    // On a machine without systemd, systemd-nspawn cannot ask for a scope unit.
    const keepUnit = existsSync('/run/systemd/system') ? [] : ['--keep-unit'];
    const words = ['--quiet', '--register=no', ...keepUnit, '--console=pipe', '--boot', `--directory=${root}`];
    // Halted when this process ends, even if it is killed.
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

  /** Runs a command in it as root. Returns its output; throws with the output when it fails. */
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

  /** Copies a file into it. Returns its path there. */
  put(file: string): string {
    const path = `/opt/${basename(file)}`;
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
