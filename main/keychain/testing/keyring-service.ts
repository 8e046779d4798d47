import { execFileSync } from 'node:child_process';

const COLLECTION = '/org/freedesktop/secrets/collection/login';

function busCall(destination: string, path: string, method: string, argument: string): string {
  const call = ['--session', '--print-reply', `--dest=${destination}`, path, method, argument];
  return execFileSync('dbus-send', call, { encoding: 'utf8', timeout: 5_000 });
}

/** Locks the collection with all entries, as a user can do in the desktop. */
export function lockCollection(): void {
  busCall(
    'org.freedesktop.secrets',
    '/org/freedesktop/secrets',
    'org.freedesktop.Secret.Service.Lock',
    `array:objpath:${COLLECTION}`,
  );
}

/** The process that provides the secrets, so that a test can suspend it. */
export function servicePid(): number {
  const method = 'org.freedesktop.DBus.GetConnectionUnixProcessID';
  const reply = busCall('org.freedesktop.DBus', '/', method, 'string:org.freedesktop.secrets');
  return Number(/uint32 (\d+)/.exec(reply)?.[1]);
}
