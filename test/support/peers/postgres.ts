import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from '../free-port.ts';
import { tempDir } from '../temp-dir.ts';
import { runAs, ServerProgram } from './child-program.ts';
import { type DatabasePeer, PASSWORD, startDatabasePeer, USER } from './database-peer.ts';
import type { ServerCertificate } from './server-certificate.ts';

const ROOT = '/usr/lib/postgresql';
const READY_MS_MAX = 30_000;

/** Why the peer cannot run here, or false: for `describe.skipIf`. */
export function postgresMissing(): string | false {
  return programs() === null && 'the Debian package postgresql is not installed';
}

/**
 * A separate PostgreSQL on 127.0.0.1, with SCRAM passwords and without a Unix socket; its data is removed with it. With
 * a certificate it accepts TLS, and connections without it as well. `settings` take precedence over those of tests,
 * which do not sync.
 */
export async function startPostgres(
  certificate?: ServerCertificate,
  settings: Readonly<Record<string, string>> = {},
): Promise<DatabasePeer> {
  const bin = programs();
  if (bin === null) throw new Error(String(postgresMissing()));
  const dir = await tempDir('sluice-postgres-');
  const as = runAs('postgres');
  if (as.uid !== undefined && as.gid !== undefined) chownSync(dir.path, as.uid, as.gid);
  const secret = join(dir.path, 'password');
  const data = join(dir.path, 'data');
  writeFileSync(secret, PASSWORD, { mode: 0o644 });
  const init = ['-D', data, '-U', USER, `--pwfile=${secret}`, '-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C', '-N'];
  execFileSync(join(bin, 'initdb'), init, { ...as, stdio: 'ignore', cwd: dir.path });
  const port = await freePort();
  const options = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    max_connections: '40',
    ...(certificate && { ssl: 'on', ssl_cert_file: certificate.certFile, ssl_key_file: certificate.keyFile }),
    ...settings,
  };
  const set = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const program = new ServerProgram(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...set], as);
  return startDatabasePeer({
    name: 'PostgreSQL',
    port,
    database: 'postgres',
    program,
    dir,
    answers: () => answers(port),
    ready: { timeoutMs: READY_MS_MAX, everyMs: 50 },
    stopBy: 'SIGINT',
  });
}

/** The newest installed version. */
function programs(): string | null {
  if (!existsSync(ROOT)) return null;
  const versions = readdirSync(ROOT).toSorted((a, b) => Number(b) - Number(a));
  const found = versions.map((version) => join(ROOT, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
  return found ?? null;
}

async function answers(port: number): Promise<boolean> {
  const client = new Client({ host: '127.0.0.1', port, user: USER, password: PASSWORD, database: 'postgres' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
