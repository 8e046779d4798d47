/**
 * Texts of the alarms by code. `{{name}}` is one of the alarm's values or phrases; `_one` and `_other` are selected by
 * its `count`.
 */
export const alarms = {
  gateway_down: 'The gateway is down: no route answers. Sluice restarts it automatically. {{message}}',
  gateway_outage_one: 'Routes did not answer from {{from}} to {{to}}: {{cause}} and was restarted.',
  gateway_outage_other:
    'Routes last did not answer from {{from}} to {{to}}: {{cause}} and was restarted. Interruptions since the last acknowledgement: {{count}}.',
  gateway_restarted: 'The gateway was restarted {{count}} times since Sluice started; the log has the reason.',
  pipeline_quarantined:
    'Stopped because they blocked the gateway twice: {{names}}. Remove the cause, then start them again.',
  pipeline_blocked:
    'The gateway was restarted because a node blocked it: {{names}}. A running pipeline that does it again within 10 minutes is stopped.',
  journal_unavailable:
    'The audit journal cannot be written ({{reason}}): callers with a key get 503, and nothing runs.',
  journal_tampered:
    'The audit journal was changed outside Sluice: {{first}} "sluice audit verify" lists everything that was found.',
  journal_unproven_one:
    'After an unclean stop, no anchor covers 1 row of the audit journal: it can be genuine or forged. "sluice audit verify" lists it.',
  journal_unproven_other:
    'After an unclean stop, no anchor covers {{count}} rows of the audit journal: they can be genuine or forged. "sluice audit verify" lists them.',
  journal_rolled_back:
    'The audit journal does not contain the head in {{file}}: an older data folder was restored, or rows were removed. "sluice audit verify --head {{file}}" lists what is missing. Check keys and users, then set another file as "File for journal heads".',
  journal_head_unusable: 'The head of the audit journal cannot be kept in {{file}}: {{reason}}.',
  keys_readable: 'The gateway uses plain HTTP: API keys are sent unencrypted.',
  certificate_ending:
    'The certificate on the gateway port expires on {{date}}: machines that check it will be locked out.',
  certificate_ended: 'The certificate on the gateway port expired on {{date}}: machines that check it are locked out.',
  generation_behind:
    'The vault on disk is older than the keychain says: an older one was restored, or a write did not reach the disk.',
  disk_low: 'The disk of the data folder has less than {{twice}} free. Largest recent writers: {{writers}}.',
  disk_reserve:
    'The disk of the data folder has less than its reserve of {{reserve}} free: nothing more is stored for pipelines. Largest recent writers: {{writers}}. Free disk space.',
  disk_full:
    'The disk of the data folder is full: Sluice has used up its ballast, and calls with a key will soon get 503. Largest recent writers: {{writers}}. Free disk space now.',
  egress_unavailable: 'Outgoing calls cannot be stored ({{reason}}): the nodes that send them return an error.',
  egress_paused:
    'Nothing is sent to {{targets}}: Store & forward shows the reason. Accepted events wait on disk; nothing is lost.',
  egress_backlog:
    'The buffer of outgoing calls is {{percent}} % full. Once it is full, the nodes that send them return an error.',
  egress_sends_held:
    'Stored calls wait: calls to {{targets}} are in progress without a response and leave no room for others.',
  egress_share_full: 'The share of the outgoing buffer is full for {{targets}}: nodes that store calls there fail.',
  egress_calls_refused: 'Direct calls to {{targets}} are refused: too many are in progress.',
  egress_dead_one: '1 dead letter needs a decision: retry, edit, discard or export.',
  egress_dead_other: '{{count}} dead letters need a decision: retry, edit, discard or export.',
  writes_stopped_one: 'Writes to tags are refused: {{stops}}.',
  writes_stopped_other: 'Writes to tags are refused by {{count}} write stops: {{stops}}.',
  changes_unsaved_one:
    'In force, but not saved, because the disk cannot be written: {{names}}. Sluice saves it as soon as there is room. Free disk space.',
  changes_unsaved_other:
    '{{count}} changes are in force, but not saved, because the disk cannot be written: {{names}}. Sluice saves them as soon as there is room. Free disk space.',
  start_unsaved: 'Sluice started, but could not save: {{names}}. Free disk space, then restart Sluice.',
  changes_undone_by_restart_one:
    'In force, but cannot be saved: {{names}}. A restart of Sluice undoes it. Free disk space first.',
  changes_undone_by_restart_other:
    '{{count}} changes are in force, but cannot be saved: {{names}}. A restart of Sluice undoes them. Free disk space first.',
  journal_rows_held_one:
    'The audit journal cannot be written, because the disk is full: 1 row of user actions is kept in a separate file, which holds about 200 rows. Free disk space now.',
  journal_rows_held_other:
    'The audit journal cannot be written, because the disk is full: {{count}} rows of user actions are kept in a separate file, which holds about 200 rows. Free disk space now.',
  changes_unreadable_one:
    'A revocation, stop or other restriction made by another version of Sluice was not saved. This version cannot read it, so it is not in force. The log names it. Repeat it, then select “Continue without them”.',
  changes_unreadable_other:
    '{{count}} revocations, stops or other restrictions made by another version of Sluice were not saved. This version cannot read them, so they are not in force. The log names them. Repeat them, then select “Continue without them”.',
  metrics_unavailable:
    'The metrics cannot be served on the configured address ({{reason}}). Sluice retries automatically.',
  caller_refused: 'Refused repeatedly: {{names}}. The journal shows the reason.',
  share_used_up:
    'Calls beyond a share are refused, so that others are served: {{names}}. The journal shows the reason.',
  key_exposed: 'Keys were seen where others can read or use them: {{names}}. Rotate them.',
  honey_key_used: 'A honey key was used: {{names}}. Somebody found it and tried it.',
  caller_silent: '{{names}}: no call for longer than usual.',
  plugin_trusted: 'Trusted plugins run outside the sandbox, with full access to Node: {{plugins}}.',
  plugin_not_loaded:
    'The gateway did not load these approved plugins: {{plugins}}. Pipelines that use their node kinds cannot start.',
  keys_refused:
    'Every API key is refused: the vault is older than the last one written, and the journal does not show what was revoked since then. An Administrator must check keys and users, then confirm the vault.',
  store_lost:
    'Files of the data folder are not as Sluice left them: {{stores}}. Stop Sluice and restore them from a copy, or restore a backup with "sluice restore". To continue without their contents, select “Continue without them”.',
  vault_rolled_back:
    'The vault is older than the last one written. An Administrator must check keys and users, then confirm the vault.',
  secret_unprotected: 'The secret of the vault is in a file beside it: the keychain of this PC does not protect it.',
};
