import type { TagDefinition } from '#common/model/tag.ts';
import { readFile } from '#api/data-queries.ts';
import { saveFile } from '#ui/save-file.ts';

/** In the format of an import. */
export function exportTags(project: string, tags: readonly TagDefinition[]): void {
  const text = JSON.stringify({ items: tags }, null, 2);
  saveFile(`${project}-tags.json`, new Blob([text], { type: 'application/json' }));
}

function bytesOf(base64: string): Blob {
  return new Blob([Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0)]);
}

/** A file of a project's workspace. */
export async function downloadFile(project: string, path: string): Promise<void> {
  const content = await readFile(project, path, 'bytes');
  const base64 = typeof content === 'object' && content !== null && 'base64' in content ? content.base64 : '';
  saveFile(path.slice(path.lastIndexOf('/') + 1), bytesOf(String(base64)));
}
