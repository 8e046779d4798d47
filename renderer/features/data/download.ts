import type { TagDefinition } from '#common/model/tag.ts';
import { readFile } from '#api/data-queries.ts';

/** Hands bytes to the browser as a file to keep. */
function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  URL.revokeObjectURL(address);
}

/** As an import takes them. */
export function exportTags(project: string, tags: readonly TagDefinition[]): void {
  const text = JSON.stringify({ items: tags }, null, 2);
  download(`${project}-tags.json`, new Blob([text], { type: 'application/json' }));
}

function bytesOf(base64: string): Blob {
  return new Blob([Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0)]);
}

/** Characters that one call of String.fromCodePoint takes. */
const SLICE = 8_192;

export async function base64Of(content: Blob): Promise<string> {
  const bytes = new Uint8Array(await content.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += SLICE) text += String.fromCodePoint(...bytes.subarray(at, at + SLICE));
  return btoa(text);
}

/** A file of a project's workspace. */
export async function downloadFile(project: string, path: string): Promise<void> {
  const content = await readFile(project, path, 'bytes');
  const base64 = typeof content === 'object' && content !== null && 'base64' in content ? content.base64 : '';
  download(path.slice(path.lastIndexOf('/') + 1), bytesOf(String(base64)));
}
