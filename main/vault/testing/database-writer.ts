import { DatabaseSync } from 'node:sqlite';

/**
 * Writes to a database like the gateway, in a separate process, until it is killed: in each transaction one row to both
 * tables. Prints "writing" once there is data.
 */
const db = new DatabaseSync(process.argv[2] ?? '', { timeout: 5_000 });
db.exec('PRAGMA journal_mode = WAL; CREATE TABLE a (n INTEGER, pad TEXT); CREATE TABLE b (n INTEGER)');
const pad = 'x'.repeat(20_000);
let n = 0;
function write(): void {
  db.exec('BEGIN');
  db.prepare('INSERT INTO a VALUES (?, ?)').run(++n, pad);
  db.prepare('INSERT INTO b VALUES (?)').run(n);
  db.exec('COMMIT');
}
// Large enough that a copy in many steps would never finish while the writer runs.
db.exec('PRAGMA synchronous = OFF');
for (let row = 0; row < 1_000; row++) write();
process.stdout.write('writing\n');
setInterval(write, 1);
