import type { DemoResult, RowResult, TestsResult } from './results.ts';
import { DEBIAN_VERSION, type Row } from './rows.ts';

/** The results as Markdown tables, in the order of the rows; a row without a result is left out. */
export function demoTable(rows: readonly Row[], results: readonly RowResult[]): string {
  const head = ['Machine', 'User', 'Node', 'npm', 'Lines of npm ci', 'First keyed call', 'Result'];
  return table(
    head,
    cellsOf(rows, results, ({ result }) => (result.kind === 'demo' ? demoCells(result) : null)),
  );
}

export function testsTable(rows: readonly Row[], results: readonly RowResult[]): string {
  const head = ['Machine', 'User', 'Node', 'npm', 'npm ci && npm test', 'Result'];
  return table(
    head,
    cellsOf(rows, results, ({ result }) => (result.kind === 'tests' ? testsCells(result) : null)),
  );
}

function demoCells({ installLines, firstCallSeconds, outcome, detail }: DemoResult): string[] {
  const seconds = firstCallSeconds === null ? '–' : `${Math.round(firstCallSeconds)} s`;
  return [String(installLines), seconds, outcome === 'served' ? 'served' : `${outcome}: ${detail}`];
}

function testsCells({ minutes, detail }: TestsResult): string[] {
  return [`${minutes.toFixed(1)} min`, detail];
}

function cellsOf(
  rows: readonly Row[],
  results: readonly RowResult[],
  cells: (result: RowResult) => string[] | null,
): string[][] {
  return rows.flatMap((row) =>
    results
      .filter((one) => one.id === row.id)
      .flatMap((result) => {
        const own = cells(result);
        return own === null ? [] : [[machineOf(row), row.user, result.node.slice(1), result.npm, ...own]];
      }),
  );
}

function machineOf({ suite, runtime }: Row): string {
  const debian = `Debian ${DEBIAN_VERSION[suite]}`;
  return runtime === 'debian' ? `${debian}, its nodejs and npm` : debian;
}

function table(head: readonly string[], rows: readonly string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(escape).join(' | ')} |`);
  return `${lines.join('\n')}\n`;
}

const escape = (cell: string): string => cell.replaceAll('|', '\\|');
