import { DatabaseSync } from 'node:sqlite';

/**
 * Writes to a database as the gateway does, from a process of its own, until it is killed: in each transaction one row
 * into both tables. Says "writing" once there is something.
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
// Large enough that a copy in many steps would never come to its end beside the writer.
db.exec('PRAGMA synchronous = OFF');
for (let row = 0; row < 1_000; row++) write();
process.stdout.write('writing\n');
setInterval(write, 1);
