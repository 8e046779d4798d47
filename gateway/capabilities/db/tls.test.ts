import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConnectionDefinition } from '#common/model/connection.ts';
import { mariadbMissing, startMariadb } from '#test/peers/mariadb.ts';
import type { DatabasePeer } from '#test/peers/database-peer.ts';
import { postgresMissing, startPostgres } from '#test/peers/postgres.ts';
import { type Authority, makeAuthority } from '#test/peers/server-certificate.ts';
import { until } from '#test/until.ts';
import { type Bench, openBench } from './testing.ts';
import { ROW_BYTES_MAX } from './wire.ts';

interface Server {
  readonly kind: 'postgresql' | 'mysql';
  readonly title: string;
  /** The user of its package, who must be able to read the key. */
  readonly user: string;
  readonly missing: string | false;
  readonly start: (certificate: Authority) => Promise<DatabasePeer>;
  /** One row and one column with the cipher of the session; empty or false if it is not encrypted. */
  readonly cipherSql: string;
  readonly reloadSql: string;
  /** Allows the server to send rows as large as the limit of the product. */
  readonly roomSql: readonly string[];
  /** Protocol names of openssl. */
  readonly protocol: string;
}

const SERVERS: readonly Server[] = [
  {
    kind: 'postgresql',
    title: 'PostgreSQL',
    user: 'postgres',
    missing: postgresMissing(),
    start: startPostgres,
    cipherSql: "SELECT coalesce(cipher, '') AS cipher FROM pg_stat_ssl WHERE pid = pg_backend_pid()",
    reloadSql: 'SELECT pg_reload_conf()',
    protocol: 'postgres',
    roomSql: [],
  },
  {
    kind: 'mysql',
    title: 'MariaDB',
    user: 'mysql',
    missing: mariadbMissing(),
    start: startMariadb,
    cipherSql:
      "SELECT variable_value AS cipher FROM information_schema.session_status WHERE variable_name = 'Ssl_cipher'",
    reloadSql: 'FLUSH SSL',
    protocol: 'mysql',
    // A statement other than SELECT ends its session: the next session has the new size.
    roomSql: ['SET GLOBAL max_allowed_packet = 1073741824'],
  },
];

type Tls = { tls: 'off' | 'encrypt' | 'verify'; ca?: string | null; host?: string };

describe.each(SERVERS)('TLS to $title', ({ kind, user, missing, start, cipherSql, reloadSql, protocol, roomSql }) => {
  describe.skipIf(missing)(missing === false ? 'by certificates of openssl' : `(left out: ${missing})`, () => {
    let authority: Authority;
    let peer: DatabasePeer;
    let bench: Bench;

    function connection({ tls, ca = null, host = 'localhost' }: Tls): ConnectionDefinition {
      const { port, database, password } = peer;
      const settings = {
        kind,
        host,
        port,
        database,
        user: peer.user,
        password,
        tls,
        ca,
        poolMax: 1,
        connectTimeout: 5,
      };
      return { id: 'tls', name: '', settings };
    }

    /** The cipher of a session that was opened with these options, or the code and message of its error. */
    async function cipher(settings: Tls): Promise<string> {
      const resources = { project: 'p', queries: [], tags: [], scripts: [] };
      await bench.databases.configure('p', { ...resources, connections: [] });
      await bench.databases.configure('p', { ...resources, connections: [connection(settings)] });
      try {
        const { rows } = await bench.sql(cipherSql, {}, { connection: 'tls' });
        return String(rows[0]?.['cipher']);
      } catch (error) {
        return error instanceof Error && 'code' in error ? `${String(error.code)}: ${error.message}` : String(error);
      }
    }

    test('a removed address closes the session, and works when it is allowed again', async () => {
      const encrypted = await cipher({ tls: 'encrypt' });
      const allowed = [`127.0.0.1:${peer.port}`, `localhost:${peer.port}`];
      const ask = () => bench.sql(cipherSql, {}, { connection: 'tls' });
      bench.guard.configure([]);
      await expect(ask()).rejects.toMatchObject({ code: 'target_refused' });
      bench.guard.configure(allowed);
      expect((await ask()).rows).toEqual([{ cipher: encrypted }]);
    });

    async function reissue(names: string): Promise<void> {
      authority.issue(names);
      await bench.databases.configure('p', {
        project: 'p',
        queries: [],
        tags: [],
        scripts: [],
        connections: [connection({ tls: 'off' })],
      });
      await bench.sql(reloadSql, {}, { connection: 'tls' });
      const { fingerprint256 } = new X509Certificate(readFileSync(authority.certFile));
      await until('the server shows its new certificate', async () => (await shown()) === fingerprint256);
    }

    /** The certificate that another client receives. */
    async function shown(): Promise<string> {
      const asked = promisify(execFile)('openssl', [
        's_client',
        '-starttls',
        protocol,
        '-connect',
        `localhost:${peer.port}`,
      ]);
      asked.child.stdin?.end();
      const { stdout } = await asked.catch(() => ({ stdout: '' }));
      const [pem] = /-----BEGIN[^]*?-----END CERTIFICATE-----/.exec(stdout) ?? [];
      return pem === undefined ? '' : new X509Certificate(pem).fingerprint256;
    }

    beforeAll(async () => {
      authority = await makeAuthority(user, 'DNS:localhost');
      peer = await start(authority);
      bench = await openBench({ allowed: [`127.0.0.1:${peer.port}`, `localhost:${peer.port}`] });
    });

    afterAll(async () => {
      await bench?.[Symbol.asyncDispose]();
      await peer?.stop();
      await authority?.[Symbol.asyncDispose]();
    });

    test('off connects without TLS', async () => {
      expect(await cipher({ tls: 'off' })).toBe('');
    });

    test('encrypt accepts any certificate', async () => {
      expect(await cipher({ tls: 'encrypt' })).toMatch(/^(?:TLS_|ECDHE)/);
      expect(await cipher({ tls: 'encrypt', ca: authority.strangerCa, host: '127.0.0.1' })).toMatch(/^(?:TLS_|ECDHE)/);
    });

    test('verify accepts a certificate of the configured authority for the configured name', async () => {
      expect(await cipher({ tls: 'verify', ca: authority.ca })).toMatch(/^(?:TLS_|ECDHE)/);
    });

    test.each(['off', 'encrypt'] as const)('with %s, a row that is too large ends only its own call', async (tls) => {
      expect(await cipher({ tls })).not.toMatch(/^db_/);
      for (const sql of roomSql) await bench.sql(sql, {}, { connection: 'tls' });
      const large = bench.sql(`SELECT repeat('x', ${ROW_BYTES_MAX + 1}) AS large`, {}, { connection: 'tls' });
      await expect(large).rejects.toMatchObject({ code: 'db_error', message: expect.stringContaining('a row') });
      expect((await bench.sql('SELECT 1 AS one', {}, { connection: 'tls' })).rows).toEqual([{ one: 1 }]);
    });

    test('verify refuses a certificate of another authority, or of one unknown to the system', async () => {
      expect(await cipher({ tls: 'verify', ca: authority.strangerCa })).toMatch(
        /^db_unreachable: .*(?:certificate|issuer)/,
      );
      expect(await cipher({ tls: 'verify' })).toMatch(/^db_unreachable: .*(?:certificate|issuer)/);
    });

    test('verify refuses a certificate for another name', async () => {
      await reissue('DNS:db.other.example');
      expect(await cipher({ tls: 'verify', ca: authority.ca })).toMatch(/^db_unreachable: .*(?:altnames|host)/i);
    });

    test('verify with an IP address requires a certificate for that address, and ignores names in it', async () => {
      await reissue('DNS:localhost');
      expect(await cipher({ tls: 'verify', ca: authority.ca, host: '127.0.0.1' })).toMatch(/^db_unreachable: /);
      await reissue('IP:127.0.0.2,DNS:localhost');
      expect(await cipher({ tls: 'verify', ca: authority.ca, host: '127.0.0.1' })).toMatch(/^db_unreachable: /);
      await reissue('IP:127.0.0.1');
      expect(await cipher({ tls: 'verify', ca: authority.ca, host: '127.0.0.1' })).toMatch(/^(?:TLS_|ECDHE)/);
      expect(await cipher({ tls: 'verify', ca: authority.ca })).toMatch(/^db_unreachable: /);
    });
  });
});
