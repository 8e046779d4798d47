const CAPABILITIES = 'gateway/capabilities';
const OUTBOX = 'gateway/egress/outbox';
const MODEL = 'common/model';
const ADMIN = 'main/admin-api';
const NUMBERS = 'build/spec-numbers.test.ts';
const TABLES = 'build/spec-tables.test.ts';
const service = (...names: string[]): string[] => names.map((name) => `test/service/${name}.test.ts`);
const pages = (...names: string[]): string[] => names.map((name) => `test/e2e/${name}.test.ts`);
const of = (folder: string, ...names: string[]): string[] => names.map((name) => `${folder}/${name}.test.ts`);

/**
 * The tests of each section of the specification: if a rule of the section is broken, one of them fails. The numbers of
 * all pages are compared by spec-numbers.test.ts.
 */
export const SPEC_TESTS: Readonly<Record<string, readonly string[]>> = {
  'admin-api.md#access': [...of(ADMIN, 'doors', 'role-matrix', 'docs'), ...pages('hostile-page')],
  'admin-api.md#documents': [...of(ADMIN, 'openapi', 'role-matrix'), 'test/openapi/served-documents.test.ts'],
  'admin-api.md#conventions': of(ADMIN, 'doors', 'round-trip', 'bad-requests', 'pipeline-calls', 'egress-secrets'),
  'admin-api.md#errors': [...of(ADMIN, 'doors', 'bad-requests'), 'build/troubleshooting.test.ts', NUMBERS],
  'admin-api.md#calls': [TABLES, ...of(ADMIN, 'role-matrix', 'doors', 'running-line')],
  'admin-api.md#changes': of(ADMIN, 'journal', 'key-calls', 'pipeline-calls', 'system-calls', 'resource-calls'),
  'admin-api.md#live-events': of(ADMIN, 'system-calls', 'egress-calls'),
  'admin-api.md#resource-limits': of(ADMIN, 'body-budget', 'admin-connections', 'locks', 'system-calls', 'write-out'),

  'capabilities.md#scopes': [TABLES, ...service('scopes', 'steps'), 'test/exploits/abuses.test.ts'],
  'capabilities.md#calls': [...of(CAPABILITIES, 'capability-broker'), ...service('scopes')],
  'capabilities.md#rights-of-a-run': [...service('principals', 'scopes'), 'gateway/pipeline/trigger.test.ts'],
  'capabilities.md#rehearsal': service('rehearsal'),
  'capabilities.md#approval-of-resources': of(ADMIN, 'in-force', 'running-line'),
  'capabilities.md#files': of(`${CAPABILITIES}/files`, 'confinement', 'hostile-paths', 'files'),
  'capabilities.md#variables': of(`${CAPABILITIES}/variables`, 'variables'),
  'capabilities.md#devices': [
    ...of(`${CAPABILITIES}/tags`, 'devices/refused-targets', 'opcua/server-trust', 'opcua/security'),
    ...of(ADMIN, 'connection-calls', 'secret-leaks'),
    ...service('refused-targets'),
  ],

  'egress.md#settings': [...of('plugins/rest-api', 'egress'), ...of(MODEL, 'save-check'), ...service('egress-node')],
  'egress.md#secrets': of(ADMIN, 'egress-secrets', 'secret-leaks'),
  'egress.md#targets': of(OUTBOX, 'core', 'delivery-dispatcher'),
  'egress.md#addresses': [
    ...of('gateway', 'net/target-guard', 'capabilities/http/http'),
    ...of('gateway/egress/http', 'address', 'proxy', 'refused-later', 'client'),
  ],
  'egress.md#store-and-forward': [
    ...of(OUTBOX, 'core', 'outbox'),
    ...service('egress-node'),
    ...of('test/faults', 'faults', 'disk/outbox', 'power/outbox'),
  ],
  'egress.md#order': [...of(OUTBOX, 'core', 'delivery-dispatcher'), 'test/faults/faults.test.ts'],
  'egress.md#retries': of(OUTBOX, 'retry', 'core'),
  'egress.md#poison': of(OUTBOX, 'core', 'delivery-dispatcher'),
  'egress.md#dead-letters': [...of(OUTBOX, 'core'), ...of(ADMIN, 'egress-calls')],
  'egress.md#buffer': [
    ...of(OUTBOX, 'core', 'shares', 'pending-shares'),
    ...of(CAPABILITIES, 'disk-reserve'),
    ...of('main/traffic', 'backlog'),
  ],
  'egress.md#direct-calls': of('gateway/egress', 'direct', 'direct-shares'),
  'egress.md#rehearsal': [...of(OUTBOX, 'core', 'delivery-dispatcher'), ...of(ADMIN, 'egress-calls')],
  'egress.md#export-and-import': [...of(OUTBOX, 'core'), ...of(ADMIN, 'egress-transfer')],

  'journal.md#what-is-recorded': [
    ...of('gateway/journal', 'journal'),
    ...service('steps', 'decoding', 'principals'),
    ...of(ADMIN, 'journal', 'refused-calls'),
  ],
  'journal.md#writes': [...of(CAPABILITIES, 'write-log', 'writes/planned-write'), ...of('main/audit', 'search')],
  'journal.md#durability': [
    ...service('journal-faults', 'kill'),
    ...of('common/node/journal', 'writer'),
    'main/audit/audit.test.ts',
    'test/faults/power/journal.test.ts',
    ...of(ADMIN, 'full-disk', 'key-calls'),
  ],
  'journal.md#tampering': [
    ...of('main/audit', 'audit', 'forged-journal', 'testing/forge'),
    'common/node/journal/prune.test.ts',
    'main/cli/audit-copy.test.ts',
  ],
  'journal.md#proof': [...of('main', 'audit/verifications', 'host/nightly-verification'), ...pages('journal')],
  'journal.md#a-restored-folder': [
    'main/audit/outside-heads.test.ts',
    'main/host/hourly-heads.test.ts',
    'main/vault/vault.test.ts',
    'main/keychain/keychain.test.ts',
  ],
  'journal.md#refusals': [
    'gateway/journal/journal.test.ts',
    'gateway/http/repeated-refusals.test.ts',
    ...of(ADMIN, 'refused-calls'),
  ],
  'journal.md#why-was-this-refused': [
    'main/audit/audit.test.ts',
    'renderer/app/journal-words.test.ts',
    ...service('steps'),
  ],
  'journal.md#retention': ['common/node/journal/prune.test.ts', 'main/audit/audit.test.ts'],
  'journal.md#search-and-export': [
    ...of('main/audit', 'audit', 'search'),
    ...of(ADMIN, 'system-calls', 'role-matrix'),
    'renderer/api/journal-feed.test.ts',
    'test/e2e/journal.test.ts',
  ],
  'journal.md#counts': ['main/audit/search.test.ts', 'renderer/api/journal-summary.test.ts'],
  'journal.md#ranges': ['renderer/features/journal/journal-range.test.ts', 'test/e2e/journal.test.ts'],

  'keys.md#value': ['common/common.test.ts', 'main/vault/key-store.test.ts'],
  'keys.md#storage': ['main/vault/key-store.test.ts', 'common/node/key-hash.test.ts'],
  'keys.md#record': [TABLES, 'main/vault/key-store.test.ts', ...of(ADMIN, 'key-calls', 'role-matrix')],
  'keys.md#verification': service('steps'),
  'keys.md#limits': [
    ...of('common', 'limits/limit-matcher', 'limits/week-hours', 'model/key-limits', 'capabilities/only-table'),
    ...of(CAPABILITIES, 'capability-broker'),
    'gateway/checks/checks.test.ts',
    ...service('limits', 'key-times', 'limit-matrix'),
    ...of('main', 'admin-api/key-calls', 'vault/key-store', 'host/settle-rollback'),
  ],
  'keys.md#reach': ['common/model/key-reach.test.ts', 'common/model/thing-reach.test.ts', ...of(ADMIN, 'key-calls')],
  'keys.md#proposed-limits': ['common/model/proposed-limits.test.ts', ...service('proposed-limits')],
  'keys.md#a-second-user': of(ADMIN, 'second-person'),
  'keys.md#pause': [...service('key-times'), ...of(ADMIN, 'key-calls', 'full-disk')],
  'keys.md#self-service': [...service('self-service'), 'gateway/http/recent-refusals.test.ts'],
  'keys.md#exposed-keys': ['gateway/gates/key-watch.test.ts', ...service('exposed-keys')],
  'keys.md#honey-keys': ['gateway/gates/key-watch.test.ts', ...service('exposed-keys')],
  'keys.md#revocation': [
    ...service('revoke', 'scopes', 'pipelining', 'held-restart'),
    'main/supervisor/fork.test.ts',
    ...of(ADMIN, 'key-calls', 'full-disk'),
    ...of('main/host', 'restores', 'settle-rollback'),
  ],
  'keys.md#rotation': [...of(ADMIN, 'key-calls'), 'main/vault/key-store.test.ts', ...pages('api-keys')],
  'keys.md#permission': [TABLES, ...of(ADMIN, 'role-matrix', 'key-calls'), ...pages('api-keys')],

  'nodes.md#what-a-node-changes': [
    'plugins/sdk/into.test.ts',
    'plugins/sdk/sdk.test.ts',
    'gateway/pipeline/run.test.ts',
  ],
  'nodes.md#http-response': [...of('plugins/http-response', 'http-response', 'headers'), ...service('replies')],
  'nodes.md#validate': ['plugins/validate/validate.test.ts', 'plugins/sdk/json-schema/multiple-of.test.ts'],
  'nodes.md#patterns': [
    'plugins/sdk/sdk.test.ts',
    'plugins/switch/switch.test.ts',
    'plugins/validate/validate.test.ts',
  ],
  'nodes.md#transform': ['plugins/transform.test.ts', 'gateway/sandbox/sandbox.test.ts'],
  'nodes.md#databases': [
    ...of(`${CAPABILITIES}/db`, 'embedded/embedded', 'postgresql', 'mysql', 'sqlserver', 'sql/scan'),
    'plugins/sdk/bind.test.ts',
    ...service('scopes'),
  ],
  'nodes.md#tags': of(`${CAPABILITIES}/tags`, 'tags', 'tag-tree', 'watch'),
  'nodes.md#write-limits': [...of(CAPABILITIES, 'tags/devices/interlock-race'), ...service('write-limits')],
  'nodes.md#write-stop': [...of(ADMIN, 'write-stop-calls'), ...service('write-stops')],
  'nodes.md#age-of-values': ['gateway/capabilities/tags/refuse-stale.test.ts', ...service('value-age')],
  'nodes.md#messages': ['gateway/pipeline/trigger.test.ts', ...of(`${CAPABILITIES}/messages`, 'bus')],

  'operation.md#commands': [
    ...of('main/cli', 'options', 'refusals', 'serve', 'read-secret', 'confined'),
    'main/host/control-socket.test.ts',
    'build/man-page.test.ts',
  ],
  'operation.md#serve': ['main/cli/serve.test.ts', 'main/cli/options.test.ts'],
  'operation.md#demo': ['main/demo/throw-away-folder.test.ts'],
  'operation.md#set-up-from-a-file': ['main/cli/setup.test.ts'],
  'operation.md#projects-as-code': of('main/cli', 'admin-session', 'folder-files', 'projects-as-code'),
  'operation.md#fleet': ['test/fleet/fleet.test.ts', 'main/fleet/agent.test.ts'],
  'operation.md#verify': ['main/cli/audit-copy.test.ts', 'main/cli/serve.test.ts'],
  'operation.md#log': ['common/node/log.test.ts', ...service('decoding')],
  'operation.md#health-checks': service('health'),
  'operation.md#metrics': ['main/metrics/scrape-address.test.ts', ...of(ADMIN, 'system-calls')],
  'operation.md#alarms': ['build/troubleshooting.test.ts', 'main/host/alarms.test.ts'],
  'operation.md#packages': [
    'test/package/service-tree.test.ts',
    ...of('build/package', 'bundle', 'unit-file', 'deb-scripts', 'tree-files'),
    'main/update/rollback.test.ts',
    'build/update-verify.test.ts',
  ],

  'overview.md#ports': [NUMBERS, ...of(ADMIN, 'doors')],
  'overview.md#versions': [
    'test/releases/old-data.test.ts',
    'main/update/rollback.test.ts',
    'gateway/control/reply-changed.test.ts',
  ],

  'pipelines.md#projects': [
    'common/model/ids.test.ts',
    ...of(ADMIN, 'pipeline-calls', 'names', 'project-file-calls', 'key-calls'),
  ],
  'pipelines.md#folder-form': ['common/model/project-folder.test.ts', 'main/cli/folder-files.test.ts'],
  'pipelines.md#plan-and-apply': [...of(ADMIN, 'project-apply-calls'), ...of('main/cli', 'projects-as-code')],
  'pipelines.md#definition': [...of(MODEL, 'ids', 'active-part', 'save-check'), ...of(ADMIN, 'pipeline-calls')],
  'pipelines.md#wires': ['gateway/pipeline/run.test.ts', ...service('replies')],
  'pipelines.md#paths-and-templates': [
    'plugins/sdk/sdk.test.ts',
    'plugins/set/set.test.ts',
    'plugins/sdk/value-source.test.ts',
  ],
  'pipelines.md#drafts-and-revisions': [
    'main/projects/project-store.test.ts',
    'common/model/save-check.test.ts',
    ...of(ADMIN, 'pipeline-calls', 'egress-secrets'),
  ],
  'pipelines.md#check': [
    'gateway/pipeline/check.test.ts',
    ...of('gateway/control', 'reply-changed', 'blocked-targets', 'script-engines'),
    ...of(ADMIN, 'missing-resources', 'pipeline-calls'),
  ],
  'pipelines.md#start': [...service('matching', 'stop-older-revisions'), ...of(ADMIN, 'pipeline-calls', 'loosening')],
  'pipelines.md#stop': [
    ...service('revoke', 'stop-older-revisions', 'matching'),
    ...of(ADMIN, 'pipeline-calls', 'full-disk'),
  ],
  'pipelines.md#states': [
    ...service('quarantine', 'lifecycle'),
    'main/host/quarantine.test.ts',
    ...of(ADMIN, 'pipeline-calls'),
  ],
  'pipelines.md#test-runs': ['gateway/pipeline/test-run.test.ts', ...of(ADMIN, 'pipeline-calls')],
  'pipelines.md#runs': ['gateway/pipeline/history.test.ts', ...of(ADMIN, 'pipeline-calls')],
  'pipelines.md#triggers': ['gateway/pipeline/trigger.test.ts', ...service('trigger-faults', 'principals')],

  'processes.md#roles-of-the-two': [
    ...service('walls'),
    'main/publish/publisher.test.ts',
    'main/supervisor/fork.test.ts',
  ],
  'processes.md#changes': [
    'gateway/control/pipeline-deployer.test.ts',
    'main/supervisor/supervisor.test.ts',
    ...service('revoke', 'listener-changes', 'lost-settings'),
  ],
  'processes.md#restarts': [
    ...of('main/supervisor', 'restart-policy', 'supervisor', 'fork'),
    ...service('lifecycle', 'orphans'),
    'main/cli/serve.test.ts',
  ],
  'processes.md#readiness': [...service('lifecycle'), 'gateway/control/gateway.test.ts'],
  'processes.md#shutdown': [...service('lifecycle'), 'main/cli/serve.test.ts'],
  'processes.md#threads': [...service('workers', 'journal-faults'), 'common/model/settings.test.ts'],

  'requests.md#steps': [...service('steps', 'uploads-without-a-key'), 'gateway/checks/checks.test.ts', NUMBERS],
  'requests.md#connections': [
    ...service('pipelining', 'held-back', 'caps', 'strangers'),
    ...of('gateway/http', 'connection-limiter', 'turned-away', 'head-pace'),
  ],
  'requests.md#strict-http': [...service('strict-http', 'clients'), 'test/hardness/fuzz.test.ts'],
  'requests.md#time-limits': [...service('time-limits', 'tls-limits'), 'gateway/http/reply-pace.test.ts'],
  'requests.md#shares': [
    ...service('shares', 'caps'),
    'gateway/net/shares.test.ts',
    ...of('gateway/http', 'full-heap', 'heap-watermark', 'callers-shares', 'paced-refusals', 'pressure'),
    'gateway/control/share-news.test.ts',
  ],
  'requests.md#bodies': [
    ...service('bodies', 'json-bodies', 'long-bodies'),
    ...of('gateway/http', 'decode-body', 'json-pieces', 'body-reader'),
  ],
  'requests.md#message': [...service('decoding'), 'common/node/log.test.ts'],
  'requests.md#replies': [
    ...service('replies', 'held-back', 'egress-node'),
    ...of('gateway/http', 'reply', 'traceparent'),
  ],
  'requests.md#no-reply': [
    ...service('replies', 'callers-values', 'steps', 'stop-older-revisions'),
    'gateway/pipeline/run.test.ts',
  ],
  'requests.md#errors': [...service('steps'), 'common/common.test.ts', 'build/guides.test.ts'],
  'requests.md#not-found': service('steps', 'matching'),

  'routes.md#settings': [TABLES, 'common/common.test.ts', 'plugins/rest-api/ingress.test.ts', ...service('addresses')],
  'routes.md#auth-type': [
    'common/common.test.ts',
    'common/model/route-record.test.ts',
    'gateway/pipeline/check.test.ts',
  ],
  'routes.md#header-whitelist': [...service('decoding'), 'common/common.test.ts', 'common/model/widening.test.ts'],
  'routes.md#patterns': ['common/common.test.ts', 'common/model/save-check.test.ts'],
  'routes.md#matching': [...service('matching', 'decoding'), ...of('gateway/routing', 'trie', 'table')],
  'routes.md#route-clash': [
    'gateway/routing/table.test.ts',
    'gateway/pipeline/check.test.ts',
    ...of(ADMIN, 'pipeline-calls'),
  ],
  'routes.md#cors': [...service('cors'), 'gateway/gates/gates.test.ts'],
  'routes.md#source-address': ['gateway/gates/gates.test.ts', ...service('addresses', 'rate', 'steps')],
  'routes.md#rate-limit': ['gateway/gates/gates.test.ts', ...service('rate', 'workers')],
  'routes.md#openapi-document': [
    ...of(MODEL, 'routes-openapi', 'openapi-schema'),
    'test/openapi/served-documents.test.ts',
    ...of(ADMIN, 'route-calls'),
  ],

  'sandbox.md#isolation': [
    ...of('gateway/sandbox', 'hostile-scripts', 'canary', 'sandbox', 'forged-calls'),
    'test/exploits/abuses.test.ts',
  ],
  'sandbox.md#deadline': of('gateway/sandbox', 'sandbox', 'pool', 'isolated', 'capability-calls', 'suspended-runs'),
  'sandbox.md#native-runs': [
    'test/exploits/native.test.ts',
    'test/hardness/native.test.ts',
    'test/hardness/native-corners.test.ts',
    ...of('gateway/sandbox', 'native-scripts'),
  ],
  'sandbox.md#library-scripts': [
    ...of('gateway/sandbox', 'library-scripts'),
    ...of(ADMIN, 'in-force', 'resource-calls'),
  ],
  'sandbox.md#errors-of-scripts': [
    'build/troubleshooting.test.ts',
    ...of('gateway/sandbox', 'sandbox', 'library-scripts'),
  ],
  'sandbox.md#plugins': [
    ...service('plugins'),
    ...of('main/third-party', 'plugins', 'plugin-alarms'),
    ...of('gateway/third-party', 'plugins', 'sandboxed-code'),
    'gateway/sandbox/isolated.test.ts',
  ],
  'sandbox.md#trusted-plugins': [
    ...service('plugins', 'walls'),
    ...of(ADMIN, 'plugin-calls'),
    'main/third-party/plugin-alarms.test.ts',
  ],

  'settings.md#fields': [
    TABLES,
    'main/vault/settings-store.test.ts',
    ...of(ADMIN, 'system-calls'),
    ...service('lost-settings'),
  ],
  'settings.md#tls': [
    ...service('tls', 'tls-service'),
    ...of('main/tls', 'read-chain', 'certificate-alarms', 'machine-names'),
    ...of(ADMIN, 'certificate-calls'),
  ],

  'storage.md#data-folder': [
    ...of('main/vault', 'vault', 'data-folder'),
    'common/node/atomic-file.test.ts',
    'main/cli/options.test.ts',
    'main/cli/serve.test.ts',
  ],
  'storage.md#vault': [
    ...of('main/vault', 'vault', 'vault-crash', 'vault-damage'),
    'test/faults/power/vault.test.ts',
    'main/projects/project-store.test.ts',
  ],
  'storage.md#secret': [
    'main/vault/vault.test.ts',
    'main/keychain/keychain.test.ts',
    'main/cli/service-secret.test.ts',
  ],
  'storage.md#an-older-vault': [
    ...of('main/host', 'settle-rollback', 'restores'),
    'main/vault/vault.test.ts',
    ...pages('confirm-vault'),
  ],
  'storage.md#lost-files': ['main/host/stores.test.ts', 'main/vault/vault.test.ts'],
  'storage.md#backup': of('main/vault', 'backup', 'backup-outbox', 'backup-projects', 'archive'),
  'storage.md#restore': [
    ...of('main/vault', 'backup', 'swap'),
    'main/host/restores.test.ts',
    ...of(ADMIN, 'system-calls'),
    ...service('swap', 'restore-from-window'),
  ],
  'storage.md#a-full-disk': [
    ...of(CAPABILITIES, 'disk-meter', 'disk-reserve', 'file-growth'),
    'main/disk/disk-watch.test.ts',
    ...of(ADMIN, 'full-disk', 'overlapping-restrictions', 'take-up'),
    'main/host/held-file.test.ts',
    'main/audit/spare-rows.test.ts',
    'common/node/unmapped-wal.test.ts',
    ...service('full-disk-start', 'full-disk-login', 'held-restart', 'journal-faults'),
  ],

  'ui.md#pages': [
    ...pages('first-window', 'viewer', 'pipelines', 'routes', 'data', 'store-forward', 'journal', 'settings-pages'),
  ],
  'ui.md#editor': [
    'renderer/ui/form/mapping.test.ts',
    'renderer/features/pipeline-editor/model/known-paths.test.ts',
    'test/service/pipeline-templates.test.ts',
    ...pages('editor-settings', 'overview'),
  ],
  'ui.md#several-users': [...of(ADMIN, 'presence'), ...pages('editor-running')],
  'ui.md#languages': [
    'common/languages/texts.test.ts',
    'renderer/api/rule-text.test.ts',
    'common/languages/kinds.test.ts',
  ],
  'ui.md#keys-in-the-ui': pages('first-window', 'api-keys', 'leave-guard'),
  'ui.md#questions-before-an-action': pages('first-window', 'api-keys', 'leave-guard', 'editor-running', 'session-end'),
  'ui.md#alarms': [
    ...of('main/host', 'alarms', 'alarm-records'),
    ...of(ADMIN, 'system-calls'),
    'renderer/ui/alarm/shelf-end.test.ts',
    'build/troubleshooting.test.ts',
    ...pages('overview', 'silence'),
  ],
  'ui.md#old-values': ['renderer/api/connection.test.ts', 'main/supervisor/supervisor.test.ts', ...pages('silence')],
  'ui.md#offline': ['build/site/site.test.ts', ...pages('hostile-page', 'first-window')],

  'users.md#users': [...of('main/people', 'people', 'limits'), ...of(ADMIN, 'people-calls')],
  'users.md#permissions': [TABLES, ...of(ADMIN, 'role-matrix', 'doors')],
  'users.md#roles': [TABLES, 'main/people/people.test.ts'],
  'users.md#approval-of-starts': [
    'common/model/widening.test.ts',
    'main/projects/approved-routes.test.ts',
    ...of(ADMIN, 'loosening', 'pipeline-calls'),
  ],
  'users.md#set-up': ['main/people/people.test.ts', ...of(ADMIN, 'session-calls', 'doors')],
  'users.md#log-in': [...of('main/people', 'people', 'limits'), ...of(ADMIN, 'session-calls')],
  'users.md#sessions': [
    'main/people/people.test.ts',
    ...of(ADMIN, 'session-calls', 'doors', 'system-calls'),
    ...pages('session-end'),
  ],
  'users.md#service-tokens': [...of(ADMIN, 'token-calls', 'role-matrix'), ...pages('service-tokens')],
};
