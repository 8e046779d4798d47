/** Phrases of the host in the texts of alarms, such as the name of a change (common/alarms/phrase.ts). */
const english = {
  message: '{{message}}',
  /** English text from an earlier version. */
  quoted: '{{text}}',
  more: '{{count}} more',
  unknown: 'unknown',

  outage_silent: 'the gateway was silent',
  outage_refused: 'the gateway did not apply a change in time',
  outage_ended: 'the gateway ended unexpectedly',

  writes_stopped: 'the write stop in the project "{{project}}"',
  device_stopped: 'the write stop for the device "{{device}}" of the project "{{project}}"',
  key_revoked: 'the revocation of the key "{{key}}" of the project "{{project}}"',
  key_limited: 'the narrower limits of the key "{{key}}" of the project "{{project}}"',
  token_revoked: 'the revocation of the service token "{{token}}"',
  key_paused: 'the pause of the key "{{key}}" of the project "{{project}}"',
  pipeline_stopped: 'the stop of the pipeline "{{pipeline}}" of the project "{{project}}"',
  user_deactivated: 'the deactivation of the user "{{user}}"',
  fewer_roles: 'the removal of roles from the user "{{user}}"',
  fewer_permissions: 'the removal of permissions from the role "{{role}}"',

  anchors_log: 'the record that an anchors log exists',
  rights_taken: 'the removal of rights after the older vault was written',
  restore_rows: 'the journal rows of a restore',
  stores_lost: 'the list of lost stores',

  in_project: '{{project}} ({{writer}})',
  in_pipeline: '{{project}}, pipeline {{pipeline}} ({{writer}})',
  files: 'files',
  database: 'database',
  variables: 'variables',
  tags: 'tags',
  history: 'history',
  outbox: 'outbox',
  journal: 'journal',
  uploads: 'uploads by users',
} as const;

/** With the literal texts, so that the compiler knows the values of each. */
export type EnglishPhrases = typeof english;

export const phrases: Readonly<Record<keyof EnglishPhrases, string>> = english;
