import { type ConnectionKind, EMBEDDED_CONNECTION } from '#common/model/connection.ts';

import type { DatabaseTable } from '#common/model/database-schema.ts';

/** Null: the embedded database. */
export type SqlKind = ConnectionKind | null;

export function kindOf(
  connection: string,
  connections: readonly { id: string; settings: { kind: ConnectionKind } }[] | undefined,
): SqlKind {
  if (connection === EMBEDDED_CONNECTION) return null;
  return connections?.find(({ id }) => id === connection)?.settings.kind ?? null;
}

/** PostgreSQL folds names without quotes to lowercase. */
const PLAIN = /^[a-z_][a-z0-9_]*$/;
const PLAIN_ANY_CASE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A name as a statement of this database needs it: quoted unless it consists of plain characters. */
export function identifier(name: string, kind: SqlKind): string {
  if ((kind === 'postgresql' ? PLAIN : PLAIN_ANY_CASE).test(name)) return name;
  if (kind === 'mysql') return `\`${name.replaceAll('`', '``')}\``;
  if (kind === 'sqlserver') return `[${name.replaceAll(']', ']]')}]`;
  return `"${name.replaceAll('"', '""')}"`;
}

export function tableIdentifier({ schema, name }: Pick<DatabaseTable, 'schema' | 'name'>, kind: SqlKind): string {
  return [...(schema === null ? [] : [schema]), name].map((part) => identifier(part, kind)).join('.');
}
