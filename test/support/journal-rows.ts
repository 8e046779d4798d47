import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditRow } from '#common/model/audit.ts';

const ROW_TYPES: ReadonlySet<unknown> = new Set(['use', 'outcome', 'refusal', 'admin', 'test', 'prune']);

/** Every row that is currently in the gateway's segment files, oldest first; without seals and anchors. */
export async function journalRows(dataDir: string, chain: 'gateway' | 'host' = 'gateway'): Promise<AuditRow[]> {
  const folder = join(dataDir, 'journal', chain);
  const files = (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).toSorted();
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap((text) => text.split('\n').flatMap(rowOfLine));
}

/** Empty for a seal, an anchor, and a truncated last line. */
export function rowOfLine(line: string): AuditRow[] {
  if (line === '') return [];
  const value = parseJson(line);
  return isRow(value) ? [value] : [];
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function isRow(value: unknown): value is AuditRow {
  return typeof value === 'object' && value !== null && 'type' in value && ROW_TYPES.has(value.type);
}
