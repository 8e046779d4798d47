/** Columns of one answer; with more, `truncated` is set. */
export const SCHEMA_COLUMNS_MAX = 5_000;

export interface TableColumn {
  name: string;
  /** As the database names it, such as `integer`. */
  type: string;
}

export interface DatabaseTable {
  /** Null: the statement can name the table without a schema. */
  schema: string | null;
  name: string;
  columns: TableColumn[];
}

/** Tables and views of a database, with their columns in the order of the table. */
export interface DatabaseSchema {
  tables: DatabaseTable[];
  /** More columns exist; the last table may be incomplete. */
  truncated: boolean;
}
