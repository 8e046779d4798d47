/** The type of a file, before it is sent; the server checks all of it. */
export interface FileSummary {
  kind: 'project' | 'pipeline';
  id: string;
  name: string;
  /** Parts of a project file; a pipeline file has one pipeline. */
  counts: Record<'pipelines' | 'connections' | 'queries' | 'tags' | 'scripts', number>;
  /** Secrets that it does not contain. */
  leftOut: number;
  content: unknown;
}

/** Null if the text is not a file that Sluice exported. */
export function readProjectFile(text: string): FileSummary | null {
  const content = parsed(text);
  const kind = field(content, 'sluice');
  if (kind !== 'project' && kind !== 'pipeline') return null;
  const named = field(content, kind);
  const id = field(named, 'id');
  const name = field(named, 'name');
  if (typeof id !== 'string' || typeof name !== 'string') return null;
  const count = (list: string): number => lengthOf(field(content, list));
  return {
    kind,
    id,
    name,
    counts: {
      pipelines: kind === 'pipeline' ? 1 : count('pipelines'),
      connections: count('connections'),
      queries: count('queries'),
      tags: count('tags'),
      scripts: count('scripts'),
    },
    leftOut: count('leftOut'),
    content,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}
