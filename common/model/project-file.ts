import { z } from 'zod';
import {
  CONNECTION_SECRETS,
  connectionDefinition,
  CONNECTIONS_PER_PROJECT_MAX,
  EMBEDDED_CONNECTION,
} from './connection.ts';
import { DATABASE_KINDS } from './connection-kinds.ts';
import type { FieldError } from '../errors/catalogue.ts';
import { displayName, nodeId, projectId } from './ids.ts';
import { libraryScript, SCRIPTS_PER_PROJECT_MAX } from './library-script.ts';
import { namedQuery, QUERIES_PER_PROJECT_MAX } from './named-query.ts';
import { pipelineDefinition } from './pipeline.ts';
import { tagDefinition, TAGS_PER_PROJECT_MAX } from './tag.ts';
import { expected } from '../errors/rules.ts';

/**
 * A project, or one pipeline, as one readable JSON file (`line-7.sluice.json`). It contains no secrets and no keys:
 * secret fields are null, and `leftOut` lists them. Such a file can be mailed, archived and compared.
 *
 * Limits: `PROJECT_FILE_BYTES_MAX` bytes, `PIPELINES_PER_FILE_MAX` pipelines; the limits of a project apply to
 * everything else.
 */
export const PROJECT_FILE_FORMAT = 1;
export const PROJECT_FILE_BYTES_MAX = 32 * 1024 * 1024;
export const PIPELINES_PER_FILE_MAX = 1_000;

/** The location of a secret: in a connection, or in an egress node (`staticHeaders.Authorization`, `tls.key`). */
export const secretPlace = z.union([
  z.strictObject({ connection: projectId, field: z.enum(CONNECTION_SECRETS) }),
  z.strictObject({ pipeline: projectId, node: nodeId, field: z.string().max(256) }),
]);
export type SecretPlaceInFile = z.infer<typeof secretPlace>;

const LEFT_OUT_MAX = 10_000;
const leftOut = z
  .array(secretPlace, {
    error: expected('form', { what: 'a list of places', example: '{ "connection": "erp", "field": "password" }' }),
  })
  .max(LEFT_OUT_MAX, expected('count_max', { max: LEFT_OUT_MAX, of: 'places' }))
  .default([])
  .meta({ description: 'Where secrets were that this file does not have.' });

const format = z.literal(PROJECT_FILE_FORMAT, {
  error: `expected ${PROJECT_FILE_FORMAT}; this release reads no other form of the file`,
});

const listOf = <T extends z.ZodType>(item: T, what: string, max: number) =>
  z
    .array(item, { error: `expected a list of ${what}` })
    .max(max, expected('count_max', { max: max, of: what }))
    .default([]);

export const projectFile = z
  .strictObject({
    sluice: z.literal('project', { error: ({ input }) => kindExpected('project', input) }),
    format,
    project: z.strictObject(
      { id: projectId, name: displayName },
      { error: expected('form', { what: 'the project,', example: '{ "id": "line-7", "name": "Line 7" }' }) },
    ),
    leftOut,
    connections: listOf(connectionDefinition, 'connections', CONNECTIONS_PER_PROJECT_MAX),
    queries: listOf(namedQuery, 'queries', QUERIES_PER_PROJECT_MAX),
    tags: listOf(tagDefinition, 'tags', TAGS_PER_PROJECT_MAX),
    scripts: listOf(libraryScript, 'scripts', SCRIPTS_PER_PROJECT_MAX),
    pipelines: listOf(pipelineDefinition, 'pipelines', PIPELINES_PER_FILE_MAX),
  })
  .superRefine((file, context) => {
    for (const { path, message } of contradictions(file))
      context.addIssue({ code: 'custom', path: path.split('.'), message });
  });
export type ProjectFile = z.infer<typeof projectFile>;

export const pipelineFile = z.strictObject({
  sluice: z.literal('pipeline', { error: ({ input }) => kindExpected('pipeline', input) }),
  format,
  leftOut,
  pipeline: pipelineDefinition,
});
export type PipelineFile = z.infer<typeof pipelineFile>;

/** Pretty-printed, with keys in the order of the schemas: the same project always results in the same bytes. */
export function fileText(file: ProjectFile | PipelineFile): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}

function kindExpected(wanted: 'project' | 'pipeline', found: unknown): string {
  const other = wanted === 'project' ? 'pipeline' : 'project';
  if (found === other) return `expected "${wanted}"; this is the file of a ${other}, which is imported as one`;
  return `expected "${wanted}": the file of a ${wanted} that Sluice exported`;
}

/** Checks across parts: duplicate ids, and references to connections that are not in the file. */
function contradictions(file: Omit<ProjectFile, 'sluice'>): FieldError[] {
  return [
    ...twice('connections', file.connections, 'id'),
    ...twice('queries', file.queries, 'id'),
    ...twice('tags', file.tags, 'path'),
    ...twice('scripts', file.scripts, 'id'),
    ...twice('pipelines', file.pipelines, 'id'),
    ...wrongConnections(file),
  ];
}

function twice<K extends string>(list: string, items: readonly Record<K, string>[], key: K): FieldError[] {
  const seen = new Set<string>();
  return items.flatMap((item, index) => {
    const value = item[key];
    if (seen.has(value)) return [{ path: `${list}.${index}.${key}`, message: `"${value}" is there twice` }];
    seen.add(value);
    return [];
  });
}

function wrongConnections({ connections, queries, tags }: Omit<ProjectFile, 'sluice'>): FieldError[] {
  const kinds = new Map(connections.map(({ id, settings }) => [id, settings.kind]));
  const isDatabase = (id: string): boolean => DATABASE_KINDS.some((kind) => kind === kinds.get(id));
  const ofQueries = queries.flatMap(({ connection }, index) =>
    connection === EMBEDDED_CONNECTION || isDatabase(connection)
      ? []
      : [
          {
            path: `queries.${index}.connection`,
            message: `expected "${EMBEDDED_CONNECTION}" or a connection of this file to a database`,
          },
        ],
  );
  const ofTags = tags.flatMap(({ source }, index) =>
    !('connection' in source) || kinds.get(source.connection) === source.provider
      ? []
      : [
          {
            path: `tags.${index}.source.connection`,
            message: `expected a connection of this file of the kind ${source.provider}`,
          },
        ],
  );
  return [...ofQueries, ...ofTags];
}
