import { expect, test } from 'vitest';
import { refuseInReadOnly } from './statements.ts';

test.for([
  ['mysql', 'SELECT 1 INTO/**/OUTFILE "/tmp/x"', true],
  ['mysql', 'SELECT 1 INTO DUMPFILE "/tmp/x"', true],
  ['postgresql', "SELECT dblink_exec('dbname=x', 'DELETE FROM t')", true],
  ['postgresql', "SELECT lo_export(1, '/tmp/x')", true],
  ['postgresql', "SELECT pg_file_write('x', 'y', false)", true],
  ['postgresql', 'SELECT outfile FROM t', false],
  ['mysql', 'SELECT file FROM t', false],
] as const)('in a read-only transaction, %s refuses %j: %j', ([dialect, sql, isRefused]) => {
  const read = () => refuseInReadOnly({ sql, values: [], keyword: 'SELECT' }, dialect);
  if (isRefused) expect(read).toThrow(expect.objectContaining({ code: 'sql_invalid' }));
  else expect(read).not.toThrow();
});
