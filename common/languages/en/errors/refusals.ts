import { refusalTexts } from '#common/languages/error-texts.ts';

/** Each refusal, with the reason. `x` is shown as code. */
export const refusals = refusalTexts({
  bad_request: { lead: '{{who}} sent a request that is not valid HTTP.', rest: 'Cause: {{cause}}.' },
  trailers: { lead: '{{who}} sent trailers after the body.', rest: 'The gateway does not accept them.' },
  head_too_slow: {
    lead: 'The request of {{who}} arrived too slowly.',
    rest: 'Its headers must be complete within 5 s.',
  },
  body_too_slow: {
    lead: 'The body of {{who}} arrived too slowly.',
    rest: '{{receivedBytes}} bytes had arrived at the time limit; at least 1 KiB per second is required.',
  },
  request_timeout: {
    lead: 'The request of {{who}} arrived too slowly.',
    rest: 'It was not complete when its time limit was reached.',
  },
  tls_plain_http: {
    lead: '{{who}} used plain HTTP on a TLS port.',
    rest: 'The connection was closed without a response.',
  },
  tls_version: { lead: '{{who}} offered an old version of TLS.', rest: 'The gateway supports TLS 1.2 and 1.3.' },
  tls_cipher: {
    lead: '{{who}} and the gateway have no cipher in common.',
    rest: 'The gateway accepts ECDHE with AES or ChaCha20.',
  },
  tls_not_trusted: {
    lead: '{{who}} does not trust the certificate of the gateway.',
    rest: 'It ended the handshake.',
  },
  tls_handshake: { lead: 'The TLS handshake with {{who}} failed.', rest: 'Cause: {{reason}}.' },
  tls_too_slow: { lead: 'The TLS handshake of {{who}} took too long.', rest: 'It must be complete within 5 s.' },
  headers_too_large: {
    lead: '{{who}} sent too many headers.',
    rest: 'At most 8 KiB in 64 lines are accepted.',
  },
  overloaded: { lead: 'The gateway was at its limit.', rest: '{{cause}}' },
  requests_in_flight: {
    lead: 'Too many requests were in progress at once.',
    rest: 'The limit is {{limit}}. Slow pipelines or a flood of calls are the usual causes.',
  },
  replies_in_memory: {
    lead: 'Replies that wait for their callers used too much memory.',
    rest: 'This caller did not read its reply, which was the largest. At most {{limitBytes}} bytes may wait.',
  },
  queue_full: {
    lead: 'More calls arrived than the gateway can serve.',
    rest: 'Calls that would wait too long are refused, so that others are served in time.',
  },
  heap_full: {
    lead: 'The memory of the gateway was nearly used up.',
    rest: 'Calls are refused until memory is free again. The usual cause is pipelines that hold large messages for a long time.',
  },
  heap_held: {
    lead: 'The memory of the gateway was nearly used up.',
    rest: '{{holder}} (project {{holderProject}}) probably holds most of it. Calls are refused until memory is free again.',
  },
  share_of_requests: {
    lead: 'This caller had too many requests in progress.',
    rest: 'A key may have {{limit}} and a project {{projectLimit}}, so that others are served too.',
  },
  share_of_runs: {
    lead: 'This caller had too many runs in progress.',
    rest: 'A key may have {{limit}} and a project {{projectLimit}}. A run that continues after its reply counts until it ends.',
  },
  share_of_bodies: {
    lead: 'The bodies of this caller used too much memory.',
    rest: 'A key may use {{limit}} bytes and a project {{projectLimit}}.',
  },
  connections: {
    lead: 'Too many connections were open at once.',
    rest: '{{who}} opened one more than the gateway accepts.',
  },
  connections_per_address: {
    lead: '{{who}} had too many connections open at once.',
    rest: 'The number of connections per address is limited, and none of them was idle.',
  },
  made_room: {
    lead: 'A connection of {{who}} was closed to make room for another caller.',
    rest: 'All {{limit}} connections were in use.',
  },
  'too many pipelined requests': {
    lead: '{{who}} sent too many requests on one connection without waiting.',
    rest: 'It must wait for responses first.',
  },
  gateway_stopped: { lead: 'Sluice was stopped while the request of {{who}} was running.', rest: '' },
  run_cancelled: { lead: 'The pipeline was stopped while the request of {{who}} was running.', rest: '' },
  no_route: {
    lead: 'No running pipeline has the route `{{call}}`.',
    rest: 'Paths are case-sensitive, and each segment must match.',
  },
  method_differs: {
    lead: 'The path exists, but not for {{method}}.',
    rest: '`{{path}}` accepts {{accepted}}.',
  },
  slash_differs: {
    lead: 'The path differs from the route only in a trailing slash.',
    rest: 'The call was for `{{path}}`; check the slash in the URL pattern of the route.',
  },
  pipeline_stopped: {
    lead: 'The pipeline of `{{call}}` is stopped.',
    rest: 'The route exists, but can be called only while its pipeline is running.',
  },
  ip_not_allowed: {
    lead: '{{ip}} may not call this route.',
    rest: 'The route allows only `{{allowedIps}}`.',
  },
  origin_not_allowed: {
    lead: 'Pages of {{origin}} may not call this route.',
    rest: 'The route allows only `{{allowedOrigins}}`.',
  },
  cors_off: {
    lead: 'Pages of {{origin}} may not call this route.',
    rest: 'CORS is off for this route, so pages of other origins may not call it.',
  },
  key_missing: { lead: '{{who}} sent no API key.', rest: 'The route requires one in the header `X-API-Key`.' },
  key_invalid: { lead: '{{who}} sent a key that is not valid.', rest: 'It is mistyped, unknown or revoked.' },
  key_repeated: {
    lead: '{{who}} sent the header X-API-Key {{headers}} times.',
    rest: 'It must be sent exactly once.',
  },
  key_malformed: {
    lead: '{{who}} sent a key that is incomplete or mistyped.',
    rest: 'Its form or its checksum is wrong.',
  },
  key_unknown: {
    lead: '{{who}} sent a key that this gateway does not know.',
    rest: 'It is well-formed, but was created on another installation, or its project was deleted.',
  },
  key_revoked: {
    lead: '{{who}} sent a revoked key.',
    rest: 'The key `{{keyId}}` was revoked, and a revoked key never becomes valid again.',
  },
  keys_unconfirmed: {
    lead: 'Every key is refused until the older vault is confirmed.',
    rest: 'The gateway does not know which keys were revoked since then.',
  },
  fleet_returning: {
    lead: 'Keys of the fleet are refused until this edge has the revocations of its hub.',
    rest: 'The connection to the hub is back; revocations from the time without contact are being applied.',
  },
  too_many_failed_keys: {
    lead: 'Too many calls from {{ip}} had no valid key.',
    rest: 'They used up the {{rate}} calls/s for failed attempts, so this call must wait.',
  },
  address_not_allowed: {
    lead: 'The key of {{who}} may not be used from {{ip}}.',
    rest: 'It may be used only from {{addresses}}.',
  },
  key_paused: {
    lead: 'The key of {{who}} is paused.',
    rest: 'The reason that was given: “{{reason}}”.',
  },
  key_ended: {
    lead: 'The key of {{who}} has ended.',
    rest: 'It could be used until {{until}}.',
  },
  outside_hours: {
    lead: 'The key of {{who}} may not be used at this time.',
    rest: 'It may be used only {{hours}}, by the clock of {{zone}}.',
  },
  key_wrong_project: {
    lead: 'The key of {{who}} belongs to another project.',
    rest: 'The route belongs to `{{routeProject}}`; the key is valid only in `{{keyProject}}`.',
  },
  scope_missing: {
    lead: '{{who}} may not call `{{call}}`.',
    rest: 'The route requires {{required}}; this key holds {{held}}.',
  },
  limit_missing: {
    lead: '{{who}} may not use `{{thing}}` with `{{scope}}`.',
    rest: 'The node `{{node}}` asked for it; the key is limited to {{limit}}.',
  },
  pipeline_limit: {
    lead: 'The pipeline may not use `{{thing}}` with `{{scope}}`.',
    rest: 'The node `{{node}}` asked for it; the pipeline is limited to {{limit}}.',
  },
  run_scope: {
    lead: 'The key of {{who}} does not hold {{missing}}.',
    rest: 'The node `{{node}}` needs it; the key holds {{held}}.',
  },
  run_grants: {
    lead: 'The pipeline was not granted {{missing}}.',
    rest: 'The node `{{node}}` needs it; the pipeline runs with its own grants, {{held}}.',
  },
  run_revoked: {
    lead: 'The key of {{who}} was revoked during the run.',
    rest: 'The run lost all rights at the node `{{node}}`.',
  },
  run_script: {
    lead: 'The script of `{{node}}` does not request {{missing}}.',
    rest: 'The run holds it, but a script gets only the scopes in its setting Scopes.',
  },
  rate_limited: {
    lead: '{{who}} called too often.',
    rest: 'The route allows {{rate}} calls/s, and {{burst}} more at once.',
  },
  payload_too_large: {
    lead: 'The body of {{who}} is too large.',
    rest: 'It has {{bodyBytes}} bytes; the route allows {{maxPayloadSize}}.',
  },
  content_coding: {
    lead: 'The body of {{who}} is compressed.',
    rest: '`Content-Encoding: {{contentEncoding}}` is not accepted.',
  },
  unsupported_media_type: {
    lead: 'The format of the body of {{who}} is not accepted.',
    rest: 'Its type was `{{contentType}}`. Text must be UTF-8.',
  },
  body_invalid: {
    lead: 'The body of {{who}} cannot be read.',
    rest: 'It does not match its type `{{contentType}}`: {{cause}}.',
  },
  audit_unavailable: {
    lead: 'The audit journal could not be written.',
    rest: 'Without it, the gateway does not run pipelines.',
  },
  route_timeout: {
    lead: 'The pipeline did not answer within {{timeoutS}} s.',
    rest: 'The run was in the node `{{node}}`.',
  },
  value_stale: {
    lead: 'A value that `{{call}}` needs is too old.',
    rest: 'The node `{{node}}` refused it: {{cause}}.',
  },
  interlock: {
    lead: 'A write limit of the tag refused a write of `{{call}}`.',
    rest: 'The node `{{node}}` wrote nothing: {{cause}}.',
  },
  write_stopped: {
    lead: 'Writes are stopped, so a write of `{{call}}` was refused.',
    rest: 'The node `{{node}}` wrote nothing: {{cause}}.',
  },
  value_invalid: {
    lead: 'The node `{{node}}` cannot use a value from {{who}}.',
    rest: '{{cause}}',
  },
  storage_unavailable: {
    lead: 'The node `{{node}}` could not store its data.',
    rest: '{{cause}}',
  },
  write_unrecorded: {
    lead: 'The node `{{node}}` could not record its write.',
    rest: 'Without its row in the journal, nothing is written: {{cause}}.',
  },
  pipeline_failed: {
    lead: 'The pipeline failed in the node `{{node}}`.',
    rest: '{{cause}}',
  },
});
