import { sentenceOf, type Place } from './interpolate.ts';

/**
 * The rules of values and requests, each with its English sentence. `rule` and `params` of a field error or problem are
 * for programs, the sentence is for users. `common/languages/<language>/errors/rules.ts` has the other languages. A
 * released rule keeps its meaning.
 */
export const RULES = {
  // Single values
  text: 'expected a string',
  number: 'expected a number',
  true_or_false: 'expected true or false',
  object: 'expected an object',
  list: 'expected a list',
  json: 'expected any JSON value',
  type: 'expected a value of the type {{type}}',
  one_of: 'expected one of {{values}}',
  form: 'expected {{what}} such as {{example}}',
  form_exact: 'expected {{what}} such as {{example}}{{also}}',
  not_form: '"{{value}}" is not {{what}} such as {{example}}',
  unknown_field: 'unknown field {{names}}',
  list_of: 'expected a list of {{of}}',
  list_of_texts: 'expected a list of strings or one comma-separated string',
  list_empty: 'the list is empty; expected {{what}}',
  twice: 'expected each {{field}} once; {{value}} is given twice',
  text_filled: 'expected a string, which may contain {{place}}',
  module_code: 'expected the code of an ES module with one default export, a function of the {{of}}',
  json_schema: 'expected a JSON Schema: an object, or true or false',
  port_name: 'expected the name of a port: 1 to 64 letters, digits, "_" or "-"',
  port_reserved: 'expected another name: "error" is the port for failures',
  letters_max: 'expected up to {{max}} letters, digits, "_" or "-"',
  pem: 'expected a PEM text that begins with -----BEGIN',
  topic: 'expected a topic without wildcards',
  header_value: 'expected a string without line breaks or control characters, at most {{max}} characters',
  header_name: '"{{name}}" is not a header name that the gateway accepts',
  header_key: 'X-API-Key cannot be whitelisted: nodes never see the key',
  database_id: 'expected the ID of a database connection',
  one_source: 'expected value or from, not both; payload.body is written when neither is given',
  honey_scopes: 'expected no scopes: a honey key is never accepted',
  zone_with_cron: 'expected a time zone only with cron: every counts seconds',
  compare_with_value: 'expected ifEquals only with value or from: an increment needs no comparison',
  // Lengths and ranges
  length: 'expected {{from}} to {{to}} characters',
  length_max: 'expected at most {{max}} characters',
  length_min: 'expected at least {{min}} characters',
  count_max: 'expected at most {{max}} {{of}}',
  count_min: 'expected at least {{min}} {{of}}',
  one_at_least: 'expected at least one {{of}}',
  range: 'expected {{what}} from {{from}} to {{to}}',
  number_min: 'expected {{what}} of {{min}} or more',
  number_above: 'expected {{what}} above {{min}}',
  number_max: 'expected {{what}} of at most {{max}}',
  port: 'expected a port from 0 to {{to}} (0 = any free port)',
  exactly_one: 'expected exactly one of {{fields}}',
  empty_entry: 'the list has an empty entry; expected a string in each entry',
  // Names
  id: 'expected 1 to 63 lower-case letters, digits or "-", starting with a letter or digit',
  id_device: 'expected another id: Windows reserves this name for a device',
  id_fixed: 'expected "{{id}}", the id in the path; an id cannot be changed',
  node_id: 'expected 1 to 64 letters, digits, "_" or "-"',
  name_unseen: 'expected a name without line breaks, control characters or invisible characters',
  name_dots: 'expected a name other than "." and "..", which cannot be used in a URL',
  host: 'expected a host name or an IP address, without a scheme, port or path',
  name_of_token: 'expected a name that does not begin with "token:", as the names of service tokens do in the journal',
  token_end: 'expected a time in the future, at most {{days}} days from now',
  token_permission: 'expected no manage_users: a service token cannot manage users or service tokens',
  limit_unheld: 'expected limits only for scopes of the key; it does not have {{scope}}',
  scope: '"{{name}}" is not a scope; expected any of {{scopes}}',
  // Headers of a reply
  header_chars: 'expected printable Latin-1 characters outside of {{placeholder}}; found {{found}}',
  header_twice: 'the header "{{name}}" is given twice; expected each name once',
  header_refused: 'the header "{{name}}" {{reason}}; expected another name',
  media_type: 'expected one media type such as text/html, without a comma outside of quotes',
  media_type_form: 'expected one media type such as text/html: type/subtype, parameters after ";"',
  // Settings of the gateway
  port_taken: 'port {{port}} is in use by another program; choose another',
  port_twice: 'is the same as {{fields}}; expected another port',
  port_refused: 'this user may not listen on port {{port}}; choose 1024 or higher',
  address_missing: 'this machine has no address {{address}}; choose another',
  token_needed: 'requires a metricsToken; set one before or together with it',
  token_chars: 'cannot be sent in a header; expected ASCII letters, digits and punctuation',
  private_key: 'contains a private key; expected only certificates, the key belongs in tlsKey',
  // Parts of a project
  tag_missing: 'there is no tag {{tags}}',
  target_blocked:
    'the target {{target}} is on this machine or its network link, where no call is made; add it to the setting Allowed internal targets',
  time_ahead: 'expected a time in the future',
  limit_of_number: 'expected no such limit: it applies to numbers only, and the type of the tag is {{type}}',
  type_of_stop: 'expected the type boolean for a tag that stops writes',
  tag_read_only: 'the tag "{{tag}}" cannot be written; expected a writable one',
  failure_as_success:
    'the port "{{port}}" of "{{node}}" leads to the reply "{{reply}}", which always returns {{status}}; callers treat the failure as a success',
  route_taken:
    'The route {{route}} is already answered by the running pipeline "{{pipeline}}" of project "{{project}}".',
  role_missing: 'there is no role "{{name}}"; expected any of {{known}}',
  code_runs: 'expected valid code: {{fault}}',
  checks_too_long:
    'the scripts take too long to check: {{checked}} of {{scripts}} were checked in {{seconds}} s, up to this one; expected code that does less when it is loaded, or fewer scripts at once',
  nothing_kept: 'there is no stored value to keep; expected a string or null',
  other_server: 'the stored value is for another server; expected a new one, or null',
  file_slashes: '{{path}}: expected names with a single "/" between them, none at the start or the end',
  file_unseen: '{{path}}: control and invisible characters are not allowed in it',
  file_reserved: '{{path}}: a backslash and the characters < > : " | ? * are not allowed in it',
  file_ends: '{{path}}: a name cannot start with a space, be "." or "..", or end with a dot or a space',
  file_device: '{{path}}: this is a device name on Windows',
  // Current state
  key_taken: 'The project already has a key named "{{name}}", revoked ones included; expected another name.',
  project_taken: 'There is already a project "{{id}}".',
  pipeline_taken: 'There is already a pipeline "{{id}}" in this project.',
  connection_taken: 'There is already a connection "{{id}}" in this project.',
  query_taken: 'There is already a query "{{id}}" in this project.',
  tag_taken: 'There is already a tag "{{id}}" in this project.',
  script_taken: 'There is already a script "{{id}}" in this project.',
  role_taken: 'There is already a role named "{{name}}".',
  token_taken: 'There is already a service token named "{{name}}"; expected another name.',
  user_taken: 'There is already a user named "{{name}}".',
  in_use: 'The {{what}} "{{name}}" is used by {{users}}; change that first.',
  pipelines_running: 'Pipelines of this project are running ({{names}}); stop them first.',
  keys_valid: 'Keys of this project are valid ({{names}}); revoke them first.',
  last_administrator: 'This is the last active Administrator; add another one first.',
  draft_changed: 'The draft of the {{what}} "{{name}}" was changed in the meantime; read it again.',
  // Access and load
  login_failed: 'The name or the password is wrong.',
  login_slowed: 'Too many log-ins failed; try again in {{seconds}} s.',
  logins_busy: 'Too many passwords are being checked; try again in a few seconds.',
  token_invalid:
    'The service token is not valid: expected one that is not revoked or ended, used from an address that it allows.',
  token_and_cookie: 'Expected either a service token or a session, not a token and a cookie.',
  token_users_only: 'A service token cannot make this call; a user has to log in.',
  token_project: 'This service token is limited to the project {{project}}.',
  setup_token: 'The set-up token is wrong; it is in the file setup-token of the data folder.',
  setup_token_slowed: 'Too many wrong set-up tokens; try again in {{seconds}} s.',
  setup_token_void:
    'The set-up token is void after too many wrong ones; restart Sluice, which writes a new one to the file setup-token.',
  permission: 'This requires the permission {{permission}}.',
  key_scopes:
    'Giving a key {{scopes}} requires the permission access_settings: no valid key of this project has it, and no approved route requires it.',
  key_limits:
    'Widening the limits of a key requires the permission access_settings: remove no limit, and add nothing outside of the present ones.',
  key_limits_wider:
    'Giving a key {{scopes}} with these limits requires the permission access_settings: the valid keys of this project that have it are limited further.',
  key_second_person: 'This key waits for a second user: {{person}} created it, so another user must approve it.',
  key_second_limits:
    'The limits of this key can only be narrowed, because a second user approves what a key may do: create another key with wider limits.',
  key_second_token: 'This key waits for a second user; a service token cannot approve it.',
  key_scopes_editor:
    'Giving a key scopes requires the permission access_settings: a user who may edit pipelines could use them in a pipeline.',
  bodies_busy: '{{reason}}; try again in a few seconds.',
  changes_waiting: 'Too many changes of the same object are waiting; try again in a few seconds.',
  disk_reserve: 'The disk of the data folder has less than its reserve free. Free disk space first.',
  not_saved:
    'In force now, but not saved: {{change}}. It is saved as soon as the disk of the data folder has room. It survives a restart of Sluice. Free disk space.',
  not_saved_yet:
    'In force now, but not saved: {{change}}. It is saved as soon as the disk of the data folder has room. Until then, a restart of Sluice undoes it. Free disk space.',
  gateway_down: 'The gateway is not responding; it is being restarted. Try again in a moment.',
} as const;

export type Rule = keyof typeof RULES;

export const isRule = (rule: unknown): rule is Rule => typeof rule === 'string' && Object.hasOwn(RULES, rule);

/** Numbers are quantities, formatted for each language; everything else is a text. */
export type ParamValue = string | number | readonly string[];
export type RuleParams<R extends Rule> = Readonly<Record<Place<(typeof RULES)[R]>, ParamValue>>;
type Given<R extends Rule> = [Place<(typeof RULES)[R]>] extends [never] ? [] : [params: RuleParams<R>];

/** A sentence for users with its rule. */
export interface RuleSentence {
  readonly message: string;
  readonly rule: Rule;
  readonly params: Readonly<Record<string, ParamValue>>;
}

/** The rule with its English sentence. */
export function stated<R extends Rule>(rule: R, ...[params]: Given<R>): RuleSentence {
  const values: Readonly<Record<string, ParamValue>> = params ?? {};
  return { message: sentenceOf(RULES[rule], values, 'en'), rule, params: values };
}

/** A field that violates a rule. `path` is dotted; '' is the whole request. */
export function ruleBroken<R extends Rule>(path: string, rule: R, ...given: Given<R>): { path: string } & RuleSentence {
  return { path, ...stated(rule, ...given) };
}

/** More than all schemas declare; a sentence beyond this limit has no rule in field errors. */
const DECLARED_MAX = 2_000;
const declared = new Map<string, RuleSentence>();

/**
 * The message of a check in a schema. Only for declarations, where the values are constants: the sentence is cached, so
 * that field errors find its rule by it. A check whose values are known only when it fails uses `ruleIssue`.
 */
export function expected<R extends Rule>(rule: R, ...given: Given<R>): string {
  const sentence = stated(rule, ...given);
  if (declared.size < DECLARED_MAX) declared.set(sentence.message, sentence);
  return sentence.message;
}

/** The rule of a sentence that was declared by `expected`; undefined: not declared. */
export const declaredRule = (message: string): RuleSentence | undefined => declared.get(message);

/** An issue for `context.addIssue` of a schema, with values that are known only now. */
export function ruleIssue<R extends Rule>(rule: R, ...given: Given<R>) {
  const { message, params } = stated(rule, ...given);
  return { code: 'custom' as const, message, params: { rule, params } };
}
