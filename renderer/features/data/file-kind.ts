/** The open dialog of the files. */
export type OpenFile = { kind: 'none' } | { kind: 'new' } | { kind: 'show' | 'delete'; path: string; bytes: number };

/** How a file can be displayed, by its name and size. */
export type FileKind = 'json' | 'csv' | 'text' | 'bytes' | 'large';

const TEXTS = [
  'txt',
  'log',
  'md',
  'xml',
  'html',
  'yaml',
  'yml',
  'ini',
  'conf',
  'sql',
  'js',
  'ts',
  'tsv',
  'jsonl',
  'ndjson',
];
/** The largest size that is shown. */
const SHOWN_BYTES_MAX = 1024 * 1024;

export function fileKind(name: string, bytes: number): FileKind {
  if (bytes > SHOWN_BYTES_MAX) return 'large';
  const ending = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';
  if (ending === 'json' || ending === 'csv') return ending;
  return TEXTS.includes(ending) ? 'text' : 'bytes';
}

/** The folders above a path, outermost first, each with its own path. */
export function foldersOf(folder: string): { name: string; path: string }[] {
  const names = folder.split('/').filter(Boolean);
  return names.map((name, index) => ({ name, path: names.slice(0, index + 1).join('/') }));
}

export const inFolder = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`);
