import { Pool } from 'pg';
import { startPostgres } from '#test/peers/postgres.ts';
import type { Acceptor } from './acceptor.ts';

/** One INSERT, one commit: what a queue in a table costs. `synchronous_commit` and `fsync` as they come, on. */
export async function startPostgresTable(lanes: number): Promise<Acceptor> {
  const server = await startPostgres(undefined, { fsync: 'on', synchronous_commit: 'on', max_connections: '100' });
  const { port, user, password, database } = server;
  const pool = new Pool({ host: '127.0.0.1', port, user, password, database, max: lanes });
  pool.on('error', () => undefined);
  const stop = async () => {
    await pool.end();
    await server.stop();
  };
  try {
    await requireSettings(pool);
    await pool.query(
      'CREATE TABLE event (id bigserial PRIMARY KEY, target text NOT NULL, path text NOT NULL, body bytea NOT NULL, at timestamptz NOT NULL DEFAULT now())',
    );
    return {
      name: 'PostgreSQL',
      async accept(body) {
        const values = ['http://127.0.0.1:9', '/reports', Buffer.from(body)];
        await pool.query({ name: 'put', text: 'INSERT INTO event (target, path, body) VALUES ($1, $2, $3)', values });
      },
      async held() {
        const { rows } = await pool.query<{ n: number }>('SELECT count(*)::int AS n FROM event');
        return rows[0]?.n ?? 0;
      },
      clear: async () => void (await pool.query('TRUNCATE event')),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function requireSettings(pool: Pool): Promise<void> {
  for (const name of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    const { rows } = await pool.query<{ is: string }>('SELECT current_setting($1) AS is', [name]);
    if (rows[0]?.is !== 'on') throw new Error(`PostgreSQL has ${name} ${rows[0]?.is}; expected on`);
  }
}
