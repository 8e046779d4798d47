import { z } from 'zod';
import { type FieldError, SluiceError } from '../errors/catalogue.ts';
import { fieldErrors } from './fields.ts';
import { displayName, projectId } from './ids.ts';
import { PROJECT_FILE_FORMAT, type ProjectFile, projectFile } from './project-file.ts';
import { expected } from '../errors/rules.ts';

/**
 * A project file as a folder of small files (docs/spec/pipelines.md#folder-form): the same definitions, one file each,
 * so that a version control system shows a change as a few lines. Code and SQL are files of their own beside their
 * settings. The same project always results in the same files.
 *
 * Paths have `/` on every platform, and differ in more than case. Limits: those of a project file.
 */
export type FolderFiles = ReadonlyMap<string, string>;

/** The file that marks a folder as a project. */
export const FOLDER_MARK = 'sluice.json';

type Family = 'connections' | 'queries' | 'scripts' | 'tags' | 'pipelines';

/** The subfolders that belong to the form, with the endings of their files. Others are ignored. */
export const FOLDER_PARTS: Readonly<Record<Family, readonly string[]>> = {
  connections: ['json'],
  queries: ['json', 'sql'],
  scripts: ['json', 'js'],
  tags: ['json'],
  pipelines: ['json', 'js', 'sql'],
};
const FAMILIES = ['connections', 'queries', 'scripts', 'tags', 'pipelines'] as const satisfies readonly Family[];

/** The setting of a node that is a file of its own, with its ending. */
const NODE_TEXTS: Readonly<Record<string, { setting: string; ending: string }>> = {
  transform: { setting: 'code', ending: 'js' },
  sql: { setting: 'sql', ending: 'sql' },
};
const RESOURCE_TEXTS = {
  queries: { setting: 'sql', ending: 'sql' },
  scripts: { setting: 'code', ending: 'js' },
} as const;

const mark = z.strictObject({
  sluice: z.literal('folder', 'expected "folder"'),
  format: z.literal(PROJECT_FILE_FORMAT, {
    error: `expected ${PROJECT_FILE_FORMAT}; this release reads no other form of the folder`,
  }),
  project: z.strictObject(
    { id: projectId, name: displayName },
    { error: expected('form', { what: 'the project,', example: '{ "id": "line-7", "name": "Line 7" }' }) },
  ),
});

/** `leftOut` is omitted: the values of secrets, and whether they are set, belong to the machine. */
export function folderOf(file: ProjectFile): Map<string, string> {
  const { project, connections, queries, scripts, tags, pipelines } = file;
  const files = new Map([[FOLDER_MARK, jsonText({ sluice: 'folder', format: PROJECT_FILE_FORMAT, project })]]);
  for (const connection of connections) files.set(`connections/${connection.id}.json`, jsonText(connection));
  for (const query of queries) putResource(files, 'queries', query);
  for (const script of scripts) putResource(files, 'scripts', script);
  for (const [group, list] of tagGroups(tags)) files.set(`tags/${group}.json`, jsonText(list));
  for (const pipeline of pipelines) putPipeline(files, pipeline);
  return files;
}

/**
 * The project of a folder. Throws SluiceError `invalid`: each error has the file and the field as its path, such as
 * `pipelines/orders.json: nodes.0.kind`. `placeOf` does the same for a path in the project file.
 */
export function readFolder(files: FolderFiles): { file: ProjectFile; placeOf: (path: string) => string } {
  const reader = new Reader(files);
  const file = reader.read();
  return { file, placeOf: (path) => reader.placeOf(path) };
}

function putResource(files: Map<string, string>, family: 'queries' | 'scripts', resource: { id: string }): void {
  const { setting, ending } = RESOURCE_TEXTS[family];
  const { [setting]: text, ...rest } = resource as Record<string, unknown>;
  const path = `${family}/${resource.id}`;
  const isOwnFile = typeof text === 'string' && fitsFile(text);
  files.set(`${path}.json`, jsonText(isOwnFile ? rest : resource));
  if (isOwnFile) files.set(`${path}.${ending}`, fileOfText(text));
}

function putPipeline(files: Map<string, string>, pipeline: ProjectFile['pipelines'][number]): void {
  // The ids of two nodes may differ in case only, which some file systems ignore: the second text stays inside.
  const taken = new Set<string>();
  const nodes = pipeline.nodes.map((node) => {
    const name = textFileOf(node);
    const setting = NODE_TEXTS[node.kind]?.setting ?? '';
    const text = node.settings[setting];
    if (name === null || typeof text !== 'string' || !fitsFile(text)) return node;
    const file = `${pipeline.id}.${name}`;
    if (taken.has(file.toLowerCase())) return node;
    taken.add(file.toLowerCase());
    files.set(`pipelines/${file}`, fileOfText(text));
    // In its place: the order of the settings is kept.
    return { ...node, settings: { ...node.settings, [setting]: { file } } };
  });
  files.set(`pipelines/${pipeline.id}.json`, jsonText({ ...pipeline, nodes }));
}

function textFileOf({ id, kind }: { id?: unknown; kind?: unknown }): string | null {
  const text = typeof kind === 'string' && Object.hasOwn(NODE_TEXTS, kind) ? NODE_TEXTS[kind] : undefined;
  return text === undefined ? null : `${String(id)}.${text.ending}`;
}

/** By the first name of their paths: groups whose names differ in case only share a file. */
function tagGroups(tags: ProjectFile['tags']): Map<string, ProjectFile['tags']> {
  const groups = new Map<string, ProjectFile['tags']>();
  for (const tag of tags.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const name = tagGroup(tag.path);
    groups.set(name, [...(groups.get(name) ?? []), tag]);
  }
  return groups;
}

function tagGroup(path: unknown): string {
  const name = String(path).split('/', 1)[0]?.toLowerCase() ?? '';
  // Windows has no files of the names of its devices.
  return projectId.safeParse(name).success ? name : `_${name}`;
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Git may convert line ends: a text with a carriage return stays inside its JSON file. */
function fitsFile(text: string): boolean {
  return !text.includes('\r');
}

/** A file ends with a line break, which is not part of the text. */
function fileOfText(text: string): string {
  return `${text}\n`;
}

function textOfFile(content: string): string {
  return content.replaceAll('\r\n', '\n').replace(/\n$/, '');
}

type Json = Record<string, unknown>;

class Reader {
  readonly #files: FolderFiles;
  readonly #errors: FieldError[] = [];
  /** The file and the field of each path in the project file. */
  readonly #places = new Map<string, { file: string; field: string }>();
  /** Texts that a file of settings uses. */
  readonly #used = new Set<string>();

  constructor(files: FolderFiles) {
    this.#files = files;
  }

  read(): ProjectFile {
    const { project } = this.#mark();
    const draft: Json = { sluice: 'project', format: PROJECT_FILE_FORMAT, project };
    for (const family of FAMILIES) draft[family] = this.#family(family);
    for (const path of this.#files.keys()) {
      const isText = /\.(?:js|sql)$/.test(path) && path.includes('/');
      if (isText && !this.#used.has(path)) this.#fault(path, '', 'no file of settings beside it names this text');
    }
    this.#refuse();
    const read = projectFile.safeParse(draft);
    if (read.success) return read.data;
    for (const { path, message } of fieldErrors(read.error))
      this.#errors.push({ path: this.placeOf(path), message: message.replace('of this file', 'of this folder') });
    this.#refuse();
    throw read.error;
  }

  placeOf(path: string): string {
    const names = path.split('.');
    for (let count = names.length; count > 0; count--) {
      const place = this.#places.get(names.slice(0, count).join('.'));
      if (place === undefined) continue;
      return placed(place.file, [place.field, ...names.slice(count)].filter((name) => name !== '').join('.'));
    }
    return placed(FOLDER_MARK, path);
  }

  #mark(): z.infer<typeof mark> {
    const value = this.#json(FOLDER_MARK);
    this.#refuse();
    const read = mark.safeParse(value);
    if (read.success) return read.data;
    for (const { path, message } of fieldErrors(read.error)) this.#fault(FOLDER_MARK, path, message);
    this.#refuse();
    throw read.error;
  }

  #family(family: Family): unknown[] {
    const items: unknown[] = [];
    const paths = [...this.#files.keys()].filter((path) => path.startsWith(`${family}/`) && path.endsWith('.json'));
    for (const path of paths.toSorted()) {
      const value = this.#json(path);
      if (family === 'tags') {
        this.#tags(path, value, items);
        continue;
      }
      if (!isObject(value)) {
        if (value !== undefined) this.#fault(path, '', 'expected an object');
        continue;
      }
      const name = path.slice(family.length + 1, -'.json'.length);
      if (value['id'] !== name) this.#fault(path, 'id', `expected "${name}", the name of the file`);
      const at = `${family}.${items.length}`;
      this.#places.set(at, { file: path, field: '' });
      items.push(this.#withTexts(family, name, value, at));
    }
    return items;
  }

  #tags(path: string, value: unknown, items: unknown[]): void {
    if (!Array.isArray(value)) {
      if (value !== undefined) this.#fault(path, '', 'expected a list of tags');
      return;
    }
    for (const [index, tag] of value.entries()) {
      const group = `tags/${tagGroup(isObject(tag) ? tag['path'] : '')}.json`;
      if (isObject(tag) && typeof tag['path'] === 'string' && group !== path)
        this.#fault(path, `${index}.path`, `a tag with this path is in ${group}`);
      this.#places.set(`tags.${items.length}`, { file: path, field: String(index) });
      items.push(tag);
    }
  }

  #withTexts(family: Family, name: string, value: Json, at: string): Json {
    if (family === 'queries' || family === 'scripts') {
      const { setting, ending } = RESOURCE_TEXTS[family];
      const path = `${family}/${name}.${ending}`;
      if (value[setting] === undefined) return { ...value, [setting]: this.#text(path, `${at}.${setting}`) };
      if (this.#files.has(path)) this.#fault(`${family}/${name}.json`, setting, `expected it only in ${path}`);
      this.#used.add(path);
      return value;
    }
    if (family !== 'pipelines' || !Array.isArray(value['nodes'])) return value;
    return { ...value, nodes: value['nodes'].map((node, index) => this.#node(name, node, `${at}.nodes.${index}`)) };
  }

  #node(pipeline: string, node: unknown, at: string): unknown {
    if (!isObject(node) || !isObject(node['settings'])) return node;
    const name = textFileOf(node);
    const setting = NODE_TEXTS[String(node['kind'])]?.setting ?? '';
    const inside = node['settings'][setting];
    if (name === null || !isObject(inside)) return node;
    const file = `${pipeline}.${name}`;
    const place = `${at}.settings.${setting}`;
    if (inside['file'] !== file) {
      this.#errors.push({ path: this.placeOf(place), message: `expected the text, or { "file": "${file}" }` });
      return node;
    }
    const settings = { ...node['settings'], [setting]: this.#text(`pipelines/${file}`, place) };
    return { ...node, settings };
  }

  #text(path: string, at: string): string {
    const content = this.#files.get(path);
    this.#used.add(path);
    this.#places.set(at, { file: path, field: '' });
    if (content !== undefined) return textOfFile(content);
    this.#fault(path, '', 'the file is missing');
    return '';
  }

  #json(path: string): unknown {
    const content = this.#files.get(path);
    if (content === undefined) {
      this.#fault(path, '', 'the file is missing');
      return undefined;
    }
    try {
      return JSON.parse(content.replace(/^\ufeff/, ''));
    } catch (error) {
      // Only the place: the message of the parser repeats a part of the file.
      const [place = ''] = /\(line \d+ column \d+\)/.exec(String(error)) ?? [];
      this.#fault(path, '', `expected JSON${place === '' ? '' : ` ${place}`}`);
      return undefined;
    }
  }

  #fault(file: string, field: string, message: string): void {
    this.#errors.push({ path: placed(file, field), message });
  }

  #refuse(): void {
    const errors = this.#errors.slice(0, ERRORS_MAX);
    if (errors.length === 0) return;
    const more = this.#errors.length > errors.length ? `\nand ${this.#errors.length - errors.length} more` : '';
    const text = errors.map(({ path, message }) => `${path}: ${message}`).join('\n');
    throw new SluiceError('invalid', text + more, { errors });
  }
}

const ERRORS_MAX = 100;

function placed(file: string, field: string): string {
  return field === '' ? file : `${file}: ${field}`;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
