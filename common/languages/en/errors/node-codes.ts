import type { NodeCode } from '#common/errors/node-codes.ts';
import type { NodeCodeText } from '#common/languages/error-texts.ts';

export const nodeCodes: Record<NodeCode, NodeCodeText> = {
  scope_missing: {
    meaning: 'The run does not have the scope of a capability call.',
    remedy: 'Add the scope that the message names to the key or to the grants of the pipeline.',
  },
  limit_missing: {
    meaning: 'The limits of the key or of the pipeline do not include what the node asks for.',
    remedy: 'Add it to these limits, or call the route with another key. The message names it.',
  },
  node_failed: {
    meaning: 'An unexpected error occurred in the node.',
    remedy: 'Look up the message in the log and check the input of the node in the run.',
  },
  too_many_steps: { meaning: 'The run took too many steps.', remedy: 'Check whether wires form a loop.' },
  copies_too_large: {
    meaning: 'Copies of the message for several wires are too large.',
    remedy: 'Connect fewer wires to the output, or reduce the message first.',
  },
  setting_invalid: {
    meaning: 'A setting of the node cannot be used.',
    remedy: 'Correct the setting that the message names.',
  },
  payload_invalid: {
    meaning: 'The payload does not have the form that the node needs.',
    remedy: 'Create a payload of that form in the preceding node.',
  },
  status_invalid: { meaning: 'The HTTP status of the reply is not valid.', remedy: 'Use an integer from 200 to 599.' },
  header_invalid: {
    meaning: 'A header of the reply cannot be sent.',
    remedy: 'Correct the name or the value that the message names.',
  },
  text_too_long: { meaning: 'The result of a template is too long.', remedy: 'Insert shorter values.' },
  path_invalid: {
    meaning: 'A field path leads into a value that has no fields.',
    remedy: 'Correct the path, or the form of the message.',
  },
  value_missing: {
    meaning: 'The message does not contain the value that the node writes.',
    remedy: 'Check the path of the value in the settings of the node.',
  },
  check_too_long: {
    meaning: 'Checking the value takes too much work.',
    remedy: 'Simplify the schema, or send less data.',
  },
  pattern_too_costly: {
    meaning: 'A regular expression takes too much work for this text.',
    remedy: 'Simplify the pattern, or limit the length of the text.',
  },
  patterns_unavailable: {
    meaning: 'The thread for expensive regular expressions did not start or was lost.',
    remedy:
      'Repeat the call: the thread is started again. If the error persists, check the log and the free memory of the PC.',
  },
  delay_full: {
    meaning: 'The Delay node already holds its maximum of messages.',
    remedy: 'Use a shorter delay, or send fewer messages.',
  },
  channel_unknown: {
    meaning: 'No running pipeline receives messages of this channel.',
    remedy: 'Start the receiving pipeline, or correct the name of the channel.',
  },
  message_hops: {
    meaning: 'Pipelines send messages to each other in a loop.',
    remedy: 'Remove the loop between the channels.',
  },
  message_queue_full: {
    meaning: 'The receiving pipeline is too slow; its queue is full.',
    remedy: 'Send fewer messages, or make the receiver faster.',
  },
  call_unknown: {
    meaning: 'The capability call does not exist, or is not available here.',
    remedy: 'Check the name of the call.',
  },
  call_invalid: {
    meaning: 'The arguments of the call are not valid.',
    remedy: 'Correct the argument that the message names.',
  },
  call_failed: { meaning: 'An unexpected error occurred in the call.', remedy: 'Look up the message in the log.' },
  call_timeout: {
    meaning: 'The call did not end within its limit.',
    remedy: 'Do less in one call, or raise the timeout of the node or route.',
  },
  call_cancelled: {
    meaning: 'The run that made the call has ended.',
    remedy: 'Check in the run why it ended: a timeout, or the pipeline was stopped.',
  },
  call_too_large: { meaning: 'The data of the call is too large.', remedy: 'Send or request less data.' },
  calls_full: { meaning: 'Too many calls are in progress.', remedy: 'Wait for some of them before you start others.' },
  audit_unavailable: {
    meaning: 'The audit journal cannot be written, so the write was not performed.',
    remedy: 'Free space for the journal, or repair its disk.',
  },
  disk_reserve: {
    meaning: 'The disk has less free space than its reserve, or this project has used its share.',
    remedy: 'Free disk space.',
  },
  tag_unknown: { meaning: 'The project has no such tag.', remedy: 'Check the path in Data.' },
  tag_path_invalid: {
    meaning: 'The text is not a valid tag path.',
    remedy: 'Correct the path, or the value that is inserted into it.',
  },
  tag_patterns_too_wide: { meaning: 'The pattern matches too many tags.', remedy: 'Use a narrower pattern.' },
  tag_stale: {
    meaning: 'A value is older than the maximum age, or its quality is bad.',
    remedy: 'Check the device, or raise the maximum age.',
  },
  tag_read_only: {
    meaning: 'The source of the tag cannot be written.',
    remedy: 'Write another tag, or change the source.',
  },
  interlock: {
    meaning: 'A write limit of the tag refuses the value, or one of its conditions does not hold.',
    remedy:
      'The message names what was compared. Write again when the conditions hold, or change the write limits of the tag.',
  },
  write_stopped: {
    meaning: 'Writes to the tags of the project or of the device are stopped.',
    remedy: 'Wait for the end of the stop, or end it on the Tags page.',
  },
  tag_type: { meaning: 'The value does not have the type of the tag.', remedy: 'Convert the value first.' },
  tag_write_failed: {
    meaning: 'The device or broker did not accept the value.',
    remedy: 'The message contains the error of the device. Check the address, the value and the rights there.',
  },
  tag_watchers_full: {
    meaning: 'Too many nodes or scripts listen to tags of this project.',
    remedy: 'Use fewer tag-change nodes.',
  },
  device_unreachable: {
    meaning: 'The device cannot be reached.',
    remedy: 'Check the cable, the address and the port. Sluice reconnects automatically.',
  },
  opcua_settings: {
    meaning: 'The OPC UA settings of the connection contradict each other.',
    remedy: 'Correct the setting that the message names.',
  },
  opcua_security: {
    meaning: 'The server does not offer this security policy and mode.',
    remedy: 'Test the connection: the message lists the policies of the server.',
  },
  opcua_untrusted: {
    meaning: 'The certificate of the OPC UA server is not trusted.',
    remedy: 'Add the certificate to the connection.',
  },
  opcua_identity: {
    meaning: 'The OPC UA client certificate of Sluice cannot be used.',
    remedy: 'Check the folder opcua in the data folder.',
  },
  history_range: {
    meaning: 'The time range or interval of the query is not valid.',
    remedy: 'Correct the value that the message names.',
  },
  history_too_many_tags: { meaning: 'The query covers too many tags.', remedy: 'Query fewer tags at once.' },
  history_too_many_points: {
    meaning: 'The query returns too many points.',
    remedy: 'Use a shorter range or a longer interval.',
  },
  history_not_numeric: { meaning: 'The tag has no numbers to aggregate.', remedy: 'Read raw values of this tag.' },
  history_busy: {
    meaning: 'Too many history queries are in progress.',
    remedy: 'Try again, with fewer queries at once.',
  },
  history_timeout: { meaning: 'The history query took too long.', remedy: 'Use a shorter range or fewer tags.' },
  history_unavailable: { meaning: 'The history cannot be read now.', remedy: 'The log has the reason.' },
  connection_unknown: {
    meaning: 'The project has no such connection.',
    remedy: 'Check the ID in Settings, Connections.',
  },
  connection_invalid: {
    meaning: 'The connection is not a database connection.',
    remedy: 'Choose another connection.',
  },
  query_unknown: { meaning: 'The project has no such named query.', remedy: 'Check the name in Data.' },
  procedure_unknown: {
    meaning: 'The database has no such stored procedure.',
    remedy: 'Check the name of the procedure.',
  },
  param_missing: {
    meaning: 'A parameter of the query has no value.',
    remedy: 'Send the value that the message names.',
  },
  param_invalid: {
    meaning: 'A parameter has a value of the wrong type.',
    remedy: 'Send a value of the type that the message names.',
  },
  param_unknown: {
    meaning: 'The query has no such parameter.',
    remedy: 'Compare the parameters with the named query.',
  },
  sql_invalid: {
    meaning: 'The SQL is not allowed here.',
    remedy: 'Use one statement for each call; for several, use a transaction.',
  },
  db_constraint: {
    meaning: 'The database refused the row: duplicate key, failed check or missing reference.',
    remedy: 'Handle it in the pipeline, for example with a reply of 409.',
  },
  db_error: {
    meaning: 'The database refused the statement.',
    remedy: 'The message contains the error of the database.',
  },
  db_timeout: { meaning: 'The statement took too long.', remedy: 'Add an index, or raise the timeout of the query.' },
  db_unreachable: {
    meaning:
      'The database cannot be reached, or the connection was lost during a statement, whose result is then unknown.',
    remedy: 'Check the server and the network, then test the connection.',
  },
  db_pool_exhausted: {
    meaning: 'All sessions of the connection are in use.',
    remedy: 'Use shorter transactions, or raise poolMax.',
  },
  variable_invalid: {
    meaning: 'The value cannot be stored as JSON.',
    remedy: 'Store a value that JSON can represent.',
  },
  variable_not_number: { meaning: 'The variable does not hold a number to add to.', remedy: 'Set a number first.' },
  variable_too_large: { meaning: 'The value is too large for a variable.', remedy: 'Store less, or use a file.' },
  variables_full: { meaning: 'The project has no room for more variables.', remedy: 'Remove some variables.' },
  variables_unavailable: {
    meaning: 'The variables of the project cannot be read or written.',
    remedy: 'The log has the reason.',
  },
  file_unknown: { meaning: 'There is no such file or folder.', remedy: 'Check the path.' },
  file_path_invalid: {
    meaning: 'The path is not valid in the workspace.',
    remedy: 'Use names with a single / between them.',
  },
  file_not_regular: {
    meaning: 'The path is not a regular file, but a folder, a link or a device.',
    remedy: 'Use another path.',
  },
  file_invalid: {
    meaning: 'The content does not have the chosen format.',
    remedy: 'Correct the content, or read the file as bytes.',
  },
  file_too_large: { meaning: 'The file is too large.', remedy: 'Split it into several files.' },
  files_full: { meaning: 'The workspace of the project has no more room.', remedy: 'Delete files.' },
  files_unavailable: { meaning: 'The folder of the workspace cannot be used.', remedy: 'The log has the reason.' },
  target_refused: {
    meaning: 'Sluice does not connect to this address, or the target is not approved for the plugin.',
    remedy: 'Add it to Allowed internal targets, or approve it.',
  },
  target_unknown: {
    meaning: 'The host name cannot be resolved.',
    remedy: 'Check the name and the DNS server. An IP address works without DNS.',
  },
  target_unreachable: { meaning: 'The target cannot be reached.', remedy: 'Check the target and the network.' },
  target_timeout: {
    meaning: 'The target did not respond in time.',
    remedy: 'Check the target, or raise the timeout of the node.',
  },
  target_overloaded: {
    meaning: 'Too many direct calls are in progress.',
    remedy: 'Use store and forward, or call less often.',
  },
  answer_too_large: { meaning: 'The response of the target is too large.', remedy: 'Request less data.' },
  tls_invalid: {
    meaning: 'A certificate or key of the node cannot be used.',
    remedy: 'Check the certificates and keys in the settings of the node.',
  },
  outbox_full: {
    meaning: 'The outbox or the disk is full; the event was not accepted.',
    remedy: 'Restore the target, or free disk space.',
  },
  outbox_unavailable: {
    meaning: 'The event could not be stored.',
    remedy: 'The alarm egress_unavailable and the log have the reason.',
  },
  dead_letter: {
    meaning: 'The target refused the event permanently.',
    remedy: 'Open Store & forward, then retry, edit or discard the event.',
  },
  script_unknown: { meaning: 'The project has no such library script.', remedy: 'Check the name.' },
  script_depth: { meaning: 'Library scripts call each other too deeply.', remedy: 'Remove the recursion.' },
  script_invalid: {
    meaning: 'The code is not an ES module with one default-exported function, or is too long.',
    remedy: 'Correct the line that the message names.',
  },
  script_failed: {
    meaning: 'The script threw an error.',
    remedy: 'The message has the line. Test the code in the editor.',
  },
  script_deadline: { meaning: 'The script computed for too long.', remedy: 'Raise its deadline, or do less.' },
  script_memory: {
    meaning: 'The script or its message needs too much memory.',
    remedy: 'Use smaller messages, or process the data in parts.',
  },
  script_stalled: {
    meaning: 'The script waits for a promise that never settles.',
    remedy: 'Use await only for capability calls.',
  },
  script_overloaded: {
    meaning: 'The script has too many runs or calls at once.',
    remedy: 'Make fewer calls in parallel.',
  },
  script_cancelled: {
    meaning: 'The run of the script has ended.',
    remedy: 'Check in the run why it ended: a timeout, or the pipeline was stopped.',
  },
  plugin_failed: {
    meaning: 'The plugin threw an error.',
    remedy: 'The message has the line. Test the code in the editor.',
  },
  plugin_deadline: { meaning: 'The plugin computed for too long.', remedy: 'Raise its deadline, or do less.' },
  plugin_memory: {
    meaning: 'The plugin or its message needs too much memory.',
    remedy: 'Use smaller messages, or process the data in parts.',
  },
  plugin_stalled: {
    meaning: 'The plugin waits for a promise that never settles.',
    remedy: 'Use await only for capability calls.',
  },
  plugin_overloaded: {
    meaning: 'The plugin has too many runs or calls at once.',
    remedy: 'Make fewer calls in parallel.',
  },
  plugin_cancelled: {
    meaning: 'The run of the plugin has ended.',
    remedy: 'Check in the run why it ended: a timeout, or the pipeline was stopped.',
  },
};
