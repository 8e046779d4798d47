import { CONNECTIONS_PER_PROJECT_MAX } from '#common/model/connection.ts';
import { SCRIPTS_PER_PROJECT_MAX } from '#common/model/library-script.ts';
import { QUERIES_PER_PROJECT_MAX } from '#common/model/named-query.ts';
import { NODES_MAX, WIRES_MAX } from '#common/model/pipeline.ts';
import { PIPELINES_PER_FILE_MAX, PROJECT_FILE_BYTES_MAX } from '#common/model/project-file.ts';
import { PLUGIN_BYTES_MAX, PLUGIN_FILES_MAX, PLUGIN_KINDS_MAX, PLUGINS_MAX } from '#common/model/plugin-manifest.ts';
import { TAGS_PER_PROJECT_MAX } from '#common/model/tag.ts';
import { WAITING_MAX as DELAYED_MAX } from '../plugins/delay/index.ts';
import { RUN_SECONDS_DEFAULT } from '../plugins/sdk/run-timeout.ts';
import { FILLED_CHARS_MAX } from '../plugins/sdk/template.ts';
import {
  BASE_STEPS,
  MATCH_CPU_MS_MAX,
  MATCH_THREAD_MS_MAX,
  PARTS_MAX,
  STEPS_PER_PART,
} from '../plugins/sdk/json-schema/check-budget.ts';
import { HOPS_MAX, WAITING_MAX as MESSAGES_MAX } from '../gateway/capabilities/messages/bus.ts';
import * as pipeline from '../gateway/pipeline/limits.ts';
import * as sandbox from '../gateway/sandbox/limits.ts';
import { HALF } from '../gateway/net/shares.ts';
import { DEPTH_MAX } from '../gateway/capabilities/scripts/scripts.ts';
import { RESOURCE_BYTES_MAX } from '../main/projects/resource-store.ts';
import { PROJECTS_MAX, REVISIONS_MAX } from '../main/projects/project-store.ts';
import { count, type LimitArea, size, time } from './docs/limit-row.ts';

export const PROJECTS: LimitArea = {
  title: 'Projects and pipelines',
  limits: [
    { what: 'Projects', value: count(PROJECTS_MAX), atLimit: '409 `conflict`' },
    { what: 'Nodes of a pipeline', value: count(NODES_MAX), atLimit: '400 `invalid`, field `nodes`' },
    { what: 'Wires of a pipeline', value: count(WIRES_MAX), atLimit: '400 `invalid`, field `wires`' },
    { what: 'Revisions kept of a pipeline', value: count(REVISIONS_MAX), atLimit: 'the oldest is deleted' },
    { what: 'Connections of a project', value: count(CONNECTIONS_PER_PROJECT_MAX), atLimit: '409 `conflict`' },
    { what: 'Named queries of a project', value: count(QUERIES_PER_PROJECT_MAX), atLimit: '409 `conflict`' },
    { what: 'Tags of a project', value: count(TAGS_PER_PROJECT_MAX), atLimit: '409 `conflict`' },
    { what: 'Library scripts of a project', value: count(SCRIPTS_PER_PROJECT_MAX), atLimit: '409 `conflict`' },
    {
      what: 'Definitions of these four together, of a project',
      value: size(RESOURCE_BYTES_MAX),
      atLimit: '409 `conflict`',
    },
    { what: 'Project file', value: size(PROJECT_FILE_BYTES_MAX), atLimit: 'export and import are refused' },
    {
      what: 'Pipelines in a project file',
      value: count(PIPELINES_PER_FILE_MAX),
      atLimit: 'export and import are refused',
    },
    { what: 'Plugins', value: count(PLUGINS_MAX), atLimit: '409 `conflict`' },
    {
      what: 'One plugin',
      value: `${size(PLUGIN_BYTES_MAX)}, ${count(PLUGIN_FILES_MAX)} files, ${count(PLUGIN_KINDS_MAX)} node kinds`,
      atLimit: 'the plugin is not added',
    },
  ],
};

export const RUNS: LimitArea = {
  title: 'Runs of a pipeline',
  lead: 'A limit that ends a node makes it fail with the given code: the message leaves at the `error` port, or the run fails.',
  limits: [
    {
      what: 'Steps of a run',
      value: count(pipeline.STEPS_PER_RUN_MAX),
      atLimit: 'the run fails with `too_many_steps`',
    },
    {
      what: 'Copies that a fan-out makes in a run',
      value: size(pipeline.COPIED_BYTES_PER_RUN_MAX),
      atLimit: 'the run fails with `copies_too_large`',
    },
    {
      what: 'Runs of one trigger node in progress',
      value: count(pipeline.RUNS_PER_TRIGGER_MAX),
      atLimit: 'messages and tag changes wait; a timer tick is left out and logged',
    },
    {
      what: 'Run of a trigger',
      value: `${RUN_SECONDS_DEFAULT} s by default`,
      setting: 'node setting `timeout`',
      atLimit: 'the run ends',
    },
    { what: 'Messages that a Delay node holds', value: count(DELAYED_MAX), atLimit: '`delay_full`' },
    { what: 'Text that a template makes', value: `${count(FILLED_CHARS_MAX)} characters`, atLimit: '`text_too_long`' },
    {
      what: 'Check against a JSON schema',
      value: `${count(BASE_STEPS)} steps of work, and ${count(STEPS_PER_PART)} for each of up to ${count(PARTS_MAX)} parts of the value; about ${time(MATCH_CPU_MS_MAX)} of CPU time for patterns, ${time(MATCH_THREAD_MS_MAX)} for matches in the pattern thread`,
      atLimit: 'the value does not fit: 400 `takes too long to check`',
    },
    {
      what: 'One match in the pattern thread',
      value: `${time(pipeline.PATTERN_THREAD_CPU_MS_MAX)} of CPU time, and ${time(pipeline.PATTERN_THREAD_MS_MAX)} in all if the machine is too busy`,
      atLimit: '`pattern_too_costly`; the thread is restarted',
    },
    {
      what: 'Time of the event loop for the runs of one project, in one turn',
      value: `${time(pipeline.RUN_MS_PER_PROJECT_MAX)}; one call of a node may take longer`,
      atLimit: 'further runs wait for later turns',
    },
    {
      what: 'Reading the settings of a pipeline at its start',
      value: time(pipeline.READ_MS_MAX),
      atLimit: 'the start is refused',
    },
    {
      what: 'Runs kept for the editor, of a pipeline',
      value: count(pipeline.RUNS_PER_PIPELINE_MAX),
      atLimit: 'the oldest is dropped',
    },
    {
      what: 'Payloads kept with a run',
      value: size(pipeline.RUN_BYTES_MAX),
      atLimit: 'the run is kept without payloads',
    },
    {
      what: 'Log lines of a pipeline',
      value: `${count(pipeline.LOG_LINES_PER_SECOND_MAX)} a second, ${count(pipeline.LOG_CHARS_MAX)} characters each`,
      atLimit: 'further lines are counted, not written',
    },
    {
      what: 'Messages that wait on a channel',
      value: count(MESSAGES_MAX),
      atLimit: '`message_queue_full` for the sender',
    },
    { what: 'Messages that start one another', value: count(HOPS_MAX), atLimit: '`message_hops`' },
  ],
};

export const SCRIPTS: LimitArea = {
  title: 'Scripts and plugins',
  limits: [
    {
      what: 'Code of a script',
      value: size(sandbox.CODE_BYTES_MAX),
      atLimit: '`script_invalid`: the start is refused',
    },
    { what: 'Code of a plugin', value: size(sandbox.PLUGIN_CODE_BYTES_MAX), atLimit: 'the plugin is not loaded' },
    {
      what: 'Memory of a script',
      value: size(sandbox.MEMORY_PAGES_MAX * 64 * 1024),
      atLimit: '`script_memory`',
    },
    {
      what: 'Time limit of a script',
      value: `${sandbox.DEADLINE_SECONDS_MIN} s to ${time(sandbox.DEADLINE_SECONDS_MAX * 1000)}`,
      setting: 'node setting `deadline`',
      atLimit: '`script_deadline`',
    },
    { what: 'Capability calls of a run', value: count(sandbox.CALLS_PER_RUN_MAX), atLimit: '`script_overloaded`' },
    {
      what: 'Capability calls of a run at once',
      value: count(sandbox.CALLS_PENDING_MAX),
      atLimit: '`script_overloaded`',
    },
    {
      what: 'Calls that wait for a script',
      value: `${count(sandbox.QUEUE_LIMITS.callsPerScript)} of one script, ${count(sandbox.QUEUE_LIMITS.calls * HALF)} of one project, ${count(sandbox.QUEUE_LIMITS.calls)} in all`,
      atLimit: '`script_overloaded`',
    },
    {
      what: 'Workers that slow scripts of one project may have',
      value: `${count(sandbox.SLOW_PER_PROJECT_MAX)} of ${count(sandbox.WORKERS_MAX)}`,
      atLimit: 'further ones wait',
    },
    {
      what: 'Runs suspended in a capability call',
      value: `${count(sandbox.QUEUE_LIMITS.suspendedRuns)} and ${size(sandbox.QUEUE_LIMITS.suspendedBytes)} of memory; half of both for one project`,
      atLimit: '`script_overloaded`',
    },
    { what: 'Library scripts that call one another', value: `${DEPTH_MAX} levels`, atLimit: '`script_depth`' },
  ],
};
