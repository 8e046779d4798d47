import { constants } from 'node:sqlite';

/**
 * Permissions of SQL in the embedded database: everything inside its file, nothing outside it. SQLite calls this for
 * each table, function and pragma while it prepares a statement; everything that is not known to be harmless is denied.
 *
 * SQLite treats VACUUM and VACUUM INTO as an ATTACH; the file releases its free pages automatically (auto_vacuum).
 */
const PRAGMAS_TO_READ = new Set([
  'table_info',
  'table_xinfo',
  'table_list',
  'index_list',
  'index_info',
  'index_xinfo',
  'foreign_key_list',
  'foreign_key_check',
  'integrity_check',
  'quick_check',
  'collation_list',
  'function_list',
  'optimize',
]);
/** Allowed without a value; with one they would change how the file is stored. */
const PRAGMAS_WITHOUT_VALUE = new Set(['page_size', 'page_count', 'freelist_count', 'data_version', 'user_version']);
const VIRTUAL_TABLES = new Set(['fts5', 'fts5vocab', 'rtree', 'rtree_i32', 'geopoly']);
/** These load code, read or write files, hold pointers of the process, or write to its log. */
const FUNCTIONS_DENIED = new Set([
  'load_extension',
  'fts3_tokenizer',
  'readfile',
  'writefile',
  'edit',
  'fsdir',
  'sqlite_log',
  'zipfile',
]);
const ALLOWED = new Set([
  constants.SQLITE_SELECT,
  constants.SQLITE_READ,
  constants.SQLITE_INSERT,
  constants.SQLITE_UPDATE,
  constants.SQLITE_DELETE,
  constants.SQLITE_RECURSIVE,
  constants.SQLITE_CREATE_INDEX,
  constants.SQLITE_CREATE_TABLE,
  constants.SQLITE_CREATE_TRIGGER,
  constants.SQLITE_CREATE_VIEW,
  constants.SQLITE_CREATE_TEMP_INDEX,
  constants.SQLITE_CREATE_TEMP_TABLE,
  constants.SQLITE_CREATE_TEMP_TRIGGER,
  constants.SQLITE_CREATE_TEMP_VIEW,
  constants.SQLITE_DROP_INDEX,
  constants.SQLITE_DROP_TABLE,
  constants.SQLITE_DROP_TRIGGER,
  constants.SQLITE_DROP_VIEW,
  constants.SQLITE_DROP_TEMP_INDEX,
  constants.SQLITE_DROP_TEMP_TABLE,
  constants.SQLITE_DROP_TEMP_TRIGGER,
  constants.SQLITE_DROP_TEMP_VIEW,
  constants.SQLITE_DROP_VTABLE,
  constants.SQLITE_ALTER_TABLE,
  constants.SQLITE_REINDEX,
  constants.SQLITE_ANALYZE,
]);

export function authorize(action: number, first: string | null, second: string | null): number {
  return allowed(action, first?.toLowerCase() ?? null, second?.toLowerCase() ?? null)
    ? constants.SQLITE_OK
    : constants.SQLITE_DENY;
}

function allowed(action: number, first: string | null, second: string | null): boolean {
  if (ALLOWED.has(action)) return true;
  if (action === constants.SQLITE_FUNCTION) return second !== null && !FUNCTIONS_DENIED.has(second);
  if (action === constants.SQLITE_CREATE_VTABLE) return second !== null && VIRTUAL_TABLES.has(second);
  if (action !== constants.SQLITE_PRAGMA || first === null) return false;
  return PRAGMAS_TO_READ.has(first) || (second === null && PRAGMAS_WITHOUT_VALUE.has(first));
}
