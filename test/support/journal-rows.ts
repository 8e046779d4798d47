import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditRow } from '#common/model/audit.ts';

const ROW_TYPES: ReadonlySet<unknown> = new Set(['use', 'outcome', 'refusal', 'admin', 'test', 'prune']);
const WRITE_TYPES: ReadonlySet<unknown> = new Set(['write', 'written']);

/** Every row that is currently in the gateway's segment files, oldest first; without seals and anchors. */
export async function journalRows(dataDir: string, chain: 'gateway' | 'host' = 'gateway'): Promise<AuditRow[]> {
  return (await lines(dataDir, chain)).flatMap(rowOfLine);
}

/** The rows before and after writes, oldest first. */
export async function writeRows(dataDir: string): Promise<AuditRow[]> {
  return (await lines(dataDir, 'gateway')).flatMap((line) => rowOf(line, WRITE_TYPES));
}

async function lines(dataDir: string, chain: 'gateway' | 'host'): Promise<string[]> {
  const folder = join(dataDir, 'journal', chain);
  const files = (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).toSorted();
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap((text) => text.split('\n'));
}

/** Empty for a seal, an anchor, and a truncated last line. */
export function rowOfLine(line: string): AuditRow[] {
  return rowOf(line, ROW_TYPES);
}

function rowOf(line: string, types: ReadonlySet<unknown>): AuditRow[] {
  if (line === '') return [];
  const value = parseJson(line);
  return isRow(value, types) ? [value] : [];
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function isRow(value: unknown, types: ReadonlySet<unknown>): value is AuditRow {
  return typeof value === 'object' && value !== null && 'type' in value && types.has(value.type);
}
