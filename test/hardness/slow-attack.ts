import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Attacks of slowhttptest on a server, from 127.0.0.2 to 127.0.0.20. */
export interface Attack {
  readonly name: string;
  readonly flags: readonly string[];
  readonly path: string;
}

export const FIRST_HOST = 2;
export const LAST_HOST = 20;
export const SOCKETS = 4_000;
/** For the response to slowhttptest's own probe, which is irrelevant. */
const PROBE_SECONDS = 3;
/** From one round of sockets to the next: longer than the gateway leaves one open. */
const ROUND_SECONDS = 8;

export const ATTACKS: readonly Attack[] = [
  { name: 'slow headers', flags: ['-H', '-i', '2'], path: '/open' },
  { name: 'slow bodies', flags: ['-B', '-i', '2', '-s', '8192', '-x', '10'], path: '/open' },
  { name: 'slow reading', flags: ['-X', '-n', '2', '-w', '10', '-y', '20', '-z', '5'], path: '/large' },
  { name: 'ranges', flags: ['-R', '-a', '5', '-b', '2000'], path: '/large' },
];

/**
 * One slowhttptest for each address, started again every ROUND_SECONDS: it opens each socket once, and this attack
 * lasts longer. (It also does not always notice that sockets were reset.) Resolves after `seconds`.
 */
export async function attackers(attack: Attack, port: number, seconds: number): Promise<void> {
  const hosts = Array.from({ length: LAST_HOST - FIRST_HOST + 1 }, (_, index) => `127.0.0.${FIRST_HOST + index}`);
  for (let leftSeconds = seconds; leftSeconds > 0; leftSeconds -= ROUND_SECONDS) {
    const round = Math.min(ROUND_SECONDS, Math.ceil(leftSeconds));
    const url = (host: string) => `http://${host}:${port}${attack.path}`;
    await Promise.all([sleep(round * 1000), ...hosts.map((host) => attacker(attack, url(host), round))]);
  }
}

/** Ends when all its sockets are closed, or after this many seconds. */
async function attacker({ flags }: Attack, url: string, seconds: number): Promise<void> {
  const each = String(Math.ceil(SOCKETS / (LAST_HOST - FIRST_HOST + 1)));
  const common = ['-c', each, '-r', each, '-l', String(seconds), '-p', String(PROBE_SECONDS), '-v', '0', '-u', url];
  // In reality they have separate machines: here they get the CPU time that the good callers leave.
  const child = spawn('nice', ['-n', '19', 'slowhttptest', ...flags, ...common], { stdio: 'ignore' });
  await once(child, 'exit');
}

/** Established connections of all except the good callers, as counted by the kernel. */
export function socketsHeld(): number {
  const { stdout } = spawnSync('ss', ['-Htn', 'state', 'established', 'dst', '127.0.0.0/8'], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => /\s127\.0\.0\.(?!1:)\d+:\d+\s+127\.0\.0\.(?!1:)/.test(line)).length / 2;
}

/** Connections that have been accepted in this network namespace so far, by any listener. */
export function socketsTaken(): number {
  const [names = '', values = ''] = readFileSync('/proc/self/net/snmp', 'latin1').match(/^Tcp: .*$/gm) ?? [];
  return Number(values.split(' ')[names.split(' ').indexOf('PassiveOpens')]);
}
