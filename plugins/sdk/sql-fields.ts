import { EMBEDDED_CONNECTION } from '#common/model/connection.ts';
import { projectId } from '#common/model/ids.ts';
import { sqlText } from '#common/model/named-query.ts';

/** Settings shared by all kinds with SQL. */
export const connectionField = projectId.default(EMBEDDED_CONNECTION).meta({
  title: 'Connection',
  control: 'connection',
  description: `The id of a database connection; "${EMBEDDED_CONNECTION}" is the project's own database.`,
});

export const sqlField = sqlText.meta({
  title: 'SQL',
  control: 'sql',
  description: 'One statement. :name is a parameter, which is always bound and never inserted into the text.',
});
