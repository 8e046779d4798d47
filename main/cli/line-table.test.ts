import { expect, test } from 'vitest';
import { readLineTable } from './line-table.ts';

const HEAD = 'project,plc_host,plc_port:number,spare:boolean';

test('each row has the typed values of a project', async () => {
  const table = await readLineTable(`\ufeff${HEAD}\r\nline-7,10.20.7.5,502,false\r\n\r\nline-8,"a, b",-0.5,TRUE\r\n`);
  expect([...table].map(([project, values]) => [project, Object.fromEntries(values)])).toEqual([
    ['line-7', { plc_host: '10.20.7.5', plc_port: 502, spare: false }],
    ['line-8', { plc_host: 'a, b', plc_port: -0.5, spare: true }],
  ]);
});

test('a table of a spreadsheet with semicolons is read', async () => {
  const table = await readLineTable('project;database\nline-7;mes,7\n');
  expect(table.get('line-7')?.get('database')).toBe('mes,7');
});

test.for([
  ['', 'row 1: expected "project" as the name of the first column'],
  ['name\nline-7', 'row 1: expected "project" as the name of the first column'],
  ['project', 'row 1: expected 1 to 1000 rows below the row of column names'],
  [`project\n${Array.from({ length: 1001 }, (_, n) => `line-${n}`).join('\n')}`, 'row 1: expected 1 to 1000 rows'],
  [
    `project,${Array.from({ length: 101 }, (_, n) => `c${n}`).join(',')}\n`,
    'row 1: expected at most 100 columns of values',
  ],
  ['project,PLC\nline-7,1', 'row 1: "PLC": expected a name such as plc_host'],
  ['project,port:integer\nline-7,1', 'row 1: "port:integer": expected a name such as'],
  ['project,a:text:number\nline-7,1', 'row 1: "a:text:number": expected a name such as'],
  ['project,a:constructor\nline-7,1', 'row 1: "a:constructor": expected a name such as'],
  ['project,a,a:number\nline-7,1,2', 'row 1: there are two columns "a"'],
  ['project,a\nLine 7,1', 'row 2: project: expected the ID of a project'],
  ['project,a\nline-7,1\nline-7,2', 'row 3: project: there are two rows for "line-7"'],
  ['project,a\nline-7', 'row 2: expected CSV with as many fields as the first row'],
  ['project,a:number\nline-7,"1,5"', 'row 2: a: expected a number such as 502 or 0.5'],
  ['project,a:number\nline-7,', 'row 2: a: expected a number such as 502 or 0.5'],
  [`project,a:number\nline-7,${'9'.repeat(400)}`, 'row 2: a: expected a number such as 502 or 0.5'],
  ['project,a:boolean\nline-7,yes', 'row 2: a: expected true or false'],
  ['project,a:boolean\nline-7,constructor', 'row 2: a: expected true or false'],
  [`project,a\nline-7,${'x'.repeat(1001)}`, 'row 2: a: expected at most 1000 characters'],
] as const)('the table %j is refused', async ([text, message]) => {
  await expect(readLineTable(text)).rejects.toThrow(`lines.csv, ${message}`);
});
