import { execFileSync } from 'node:child_process';
import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { freePort } from '../free-port.ts';
import { tempDir } from '../temp-dir.ts';
import { firstThatExists, runAs, ServerProgram } from './child-program.ts';
import { type DatabasePeer, PASSWORD, startDatabasePeer, USER } from './database-peer.ts';
import type { ServerCertificate } from './server-certificate.ts';

const DATABASE = 'plant';
const READY_MS_MAX = 60_000;
const SERVERS = ['/usr/sbin/mariadbd', '/usr/sbin/mysqld'];
const INSTALLERS = ['/usr/bin/mariadb-install-db', '/usr/bin/mysql_install_db'];

/** Why the peer cannot run here, or false: for `describe.skipIf`. */
export function mariadbMissing(): string | false {
  return (
    (firstThatExists(SERVERS) === null || firstThatExists(INSTALLERS) === null) &&
    'the Debian package mariadb-server is not installed'
  );
}

/**
 * A separate MariaDB on 127.0.0.1 with one database and a user with a password; its data is removed with it. With a
 * certificate it accepts TLS, and connections without it as well.
 */
export async function startMariadb(certificate?: ServerCertificate): Promise<DatabasePeer> {
  const server = firstThatExists(SERVERS);
  const installer = firstThatExists(INSTALLERS);
  if (server === null || installer === null) throw new Error(String(mariadbMissing()));
  const dir = await tempDir('sluice-mariadb-');
  const as = runAs('mysql');
  if (as.uid !== undefined && as.gid !== undefined) chownSync(dir.path, as.uid, as.gid);
  const data = join(dir.path, 'data');
  const basics = ['--no-defaults', `--datadir=${data}`];
  execFileSync(installer, [...basics, '--skip-test-db', '--auth-root-authentication-method=normal'], {
    ...as,
    stdio: 'ignore',
    cwd: dir.path,
  });
  const setup = join(dir.path, 'setup.sql');
  const account = `'${USER}'@'%'`;
  writeFileSync(
    setup,
    `CREATE DATABASE IF NOT EXISTS ${DATABASE};
CREATE USER IF NOT EXISTS ${account} IDENTIFIED BY '${PASSWORD}';
GRANT ALL ON *.* TO ${account};
`,
  );
  const port = await freePort();
  const program = new ServerProgram(
    server,
    [
      ...basics,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${join(dir.path, 'socket')}`,
      `--pid-file=${join(dir.path, 'pid')}`,
      `--init-file=${setup}`,
      '--skip-name-resolve',
      '--innodb-buffer-pool-size=32M',
      '--innodb-flush-log-at-trx-commit=2',
      ...(certificate ? [`--ssl-cert=${certificate.certFile}`, `--ssl-key=${certificate.keyFile}`] : []),
    ],
    as,
  );
  return startDatabasePeer({
    name: 'MariaDB',
    port,
    database: DATABASE,
    program,
    dir,
    answers: () => answers(port),
    ready: { timeoutMs: READY_MS_MAX, everyMs: 100 },
    // Nothing of it is kept, so that nothing needs to be written back.
    stopBy: 'SIGKILL',
  });
}

async function answers(port: number): Promise<boolean> {
  try {
    const connection = await createConnection({
      host: '127.0.0.1',
      port,
      user: USER,
      password: PASSWORD,
      database: DATABASE,
    });
    await connection.end();
    return true;
  } catch {
    return false;
  }
}
