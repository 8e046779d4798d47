import type { ErrorCode } from './catalogue.ts';

/**
 * Codes of `NodeError`: failures of nodes and capability calls, which reach the `error` port, scripts and the journal.
 * A code keeps its meaning, because authors branch on it. The sentences are in
 * `common/languages/<language>/errors/node-codes.ts`; a code without a sentence in each language does not compile.
 */
interface Declared {
  /** The refusal that the caller receives if nothing handles the error; default `pipeline_failed`. */
  readonly refusal?: Extract<
    ErrorCode,
    | 'value_invalid'
    | 'scope_missing'
    | 'limit_missing'
    | 'interlock'
    | 'write_stopped'
    | 'value_stale'
    | 'storage_unavailable'
    | 'audit_unavailable'
  >;
  /** The code that the admin API returns if a user makes the call; default `conflict`. */
  readonly admin?: Extract<ErrorCode, 'unknown' | 'invalid' | 'interlock' | 'write_stopped'>;
}

const NODES_AND_MESSAGES = {
  scope_missing: { refusal: 'scope_missing', admin: 'invalid' },
  limit_missing: { refusal: 'limit_missing', admin: 'invalid' },
  node_failed: {},
  too_many_steps: {},
  copies_too_large: {},
  setting_invalid: { admin: 'invalid' },
  payload_invalid: { admin: 'invalid' },
  status_invalid: { admin: 'invalid' },
  header_invalid: { admin: 'invalid' },
  text_too_long: {},
  path_invalid: { admin: 'invalid' },
  value_missing: { admin: 'invalid' },
  check_too_long: {},
  pattern_too_costly: {},
  patterns_unavailable: {},
  delay_full: {},
  channel_unknown: { admin: 'unknown' },
  message_hops: {},
  message_queue_full: {},
} as const satisfies Record<string, Declared>;

const CAPABILITY_CALLS = {
  call_unknown: { admin: 'unknown' },
  call_invalid: { admin: 'invalid' },
  call_failed: {},
  call_timeout: {},
  call_cancelled: {},
  call_too_large: {},
  calls_full: {},
  audit_unavailable: { refusal: 'audit_unavailable' },
  disk_reserve: { refusal: 'storage_unavailable' },
} as const satisfies Record<string, Declared>;

const TAGS_AND_DEVICES = {
  tag_unknown: { admin: 'unknown' },
  tag_path_invalid: { refusal: 'value_invalid', admin: 'invalid' },
  tag_patterns_too_wide: {},
  tag_stale: { refusal: 'value_stale' },
  tag_read_only: {},
  interlock: { refusal: 'interlock', admin: 'interlock' },
  write_stopped: { refusal: 'write_stopped', admin: 'write_stopped' },
  tag_type: { admin: 'invalid' },
  tag_write_failed: {},
  tag_watchers_full: {},
  device_unreachable: {},
  opcua_settings: {},
  opcua_security: {},
  opcua_untrusted: {},
  opcua_identity: {},
  history_range: { admin: 'invalid' },
  history_too_many_tags: {},
  history_too_many_points: {},
  history_not_numeric: {},
  history_busy: {},
  history_timeout: {},
  history_unavailable: {},
} as const satisfies Record<string, Declared>;

const DATABASES = {
  connection_unknown: { admin: 'unknown' },
  connection_invalid: { admin: 'invalid' },
  query_unknown: { admin: 'unknown' },
  procedure_unknown: { admin: 'unknown' },
  param_missing: { refusal: 'value_invalid', admin: 'invalid' },
  param_invalid: { refusal: 'value_invalid', admin: 'invalid' },
  param_unknown: { admin: 'unknown' },
  sql_invalid: { admin: 'invalid' },
  db_constraint: {},
  db_error: {},
  db_timeout: {},
  db_unreachable: {},
  db_pool_exhausted: {},
} as const satisfies Record<string, Declared>;

const VARIABLES_AND_FILES = {
  variable_invalid: { admin: 'invalid' },
  variable_not_number: {},
  variable_too_large: {},
  variables_full: {},
  variables_unavailable: {},
  file_unknown: { admin: 'unknown' },
  file_path_invalid: { admin: 'invalid' },
  file_not_regular: {},
  file_invalid: { admin: 'invalid' },
  file_too_large: {},
  files_full: {},
  files_unavailable: {},
} as const satisfies Record<string, Declared>;

const OUTBOUND_CALLS = {
  target_refused: {},
  target_unknown: { admin: 'unknown' },
  target_unreachable: {},
  target_timeout: {},
  target_overloaded: {},
  answer_too_large: {},
  tls_invalid: { admin: 'invalid' },
  outbox_full: { refusal: 'storage_unavailable' },
  outbox_unavailable: { refusal: 'storage_unavailable' },
  dead_letter: {},
} as const satisfies Record<string, Declared>;

const SCRIPTS_AND_PLUGINS = {
  script_unknown: { admin: 'unknown' },
  script_depth: {},
  script_invalid: { admin: 'invalid' },
  script_failed: {},
  script_deadline: {},
  script_memory: {},
  script_stalled: {},
  script_overloaded: {},
  script_cancelled: {},
  plugin_failed: {},
  plugin_deadline: {},
  plugin_memory: {},
  plugin_stalled: {},
  plugin_overloaded: {},
  plugin_cancelled: {},
} as const satisfies Record<string, Declared>;

export const NODE_CODES = {
  ...NODES_AND_MESSAGES,
  ...CAPABILITY_CALLS,
  ...TAGS_AND_DEVICES,
  ...DATABASES,
  ...VARIABLES_AND_FILES,
  ...OUTBOUND_CALLS,
  ...SCRIPTS_AND_PLUGINS,
};
export type NodeCode = keyof typeof NODE_CODES;

/** The codes by area, for the documentation. */
export const NODE_CODE_AREAS: Readonly<Record<string, object>> = {
  'Nodes and messages': NODES_AND_MESSAGES,
  'Capability calls': CAPABILITY_CALLS,
  'Tags and devices': TAGS_AND_DEVICES,
  Databases: DATABASES,
  'Variables and files': VARIABLES_AND_FILES,
  'Outbound calls': OUTBOUND_CALLS,
  'Scripts and plugins': SCRIPTS_AND_PLUGINS,
};

export const isNodeCode = (text: string): text is NodeCode => Object.hasOwn(NODE_CODES, text);

/** The refusals of runs that fail. */
export type RunRefusal = 'pipeline_failed' | NonNullable<Declared['refusal']>;

/** The refusal that a caller receives if a node failed with this code and nothing handled its error. */
export function refusalOf(code: NodeCode): RunRefusal {
  const declared: Declared | undefined = NODE_CODES[code];
  return declared?.refusal ?? 'pipeline_failed';
}

/** The code that the admin API returns for this error. */
export function adminCodeOf(code: NodeCode): 'conflict' | NonNullable<Declared['admin']> {
  const declared: Declared | undefined = NODE_CODES[code];
  return declared?.admin ?? 'conflict';
}
