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

/** Reserved in at least one of the databases, and likely as a name: `user` without quotes is a function of PostgreSQL. */
const RESERVED = new Set(
  (
    'all alter analyse analyze and any array as asc begin between both by case cast change check collate column ' +
    'condition constraint create cross current current_date current_time current_timestamp current_user database ' +
    'default delete desc describe distinct drop else end except exists explain fetch file for foreign from full ' +
    'function grant group groups having if in index inner insert intersect interval into is join key keys kill ' +
    'leading left like limit lines load localtime localtimestamp lock match merge natural not null of off offset on ' +
    'only open option or order outer over partition percent plan position precision primary procedure public range ' +
    'rank read recursive references rename replace restrict return revoke right row row_number rows schema select ' +
    'session_user set show some system table then to top trailing transaction trigger union unique update usage use ' +
    'user using value values varying view when where while window with write'
  ).split(' '),
);

/** A name as a statement of this database needs it: quoted unless it is a plain word that means nothing else. */
export function identifier(name: string, kind: SqlKind): string {
  if ((kind === 'postgresql' ? PLAIN : PLAIN_ANY_CASE).test(name) && !RESERVED.has(name.toLowerCase())) return name;
  if (kind === 'mysql') return `\`${name.replaceAll('`', '``')}\``;
  if (kind === 'sqlserver') return `[${name.replaceAll(']', ']]')}]`;
  return `"${name.replaceAll('"', '""')}"`;
}

export function tableIdentifier({ schema, name }: Pick<DatabaseTable, 'schema' | 'name'>, kind: SqlKind): string {
  return [...(schema === null ? [] : [schema]), name].map((part) => identifier(part, kind)).join('.');
}
