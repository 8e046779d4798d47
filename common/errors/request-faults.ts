/**
 * Faults of requests that are refused with `bad_request`, `body_invalid` or `unsupported_media_type`. The journal
 * stores the English text as the cause of the refusal, and the caller reads it in `detail`: it names nothing of the
 * configuration (docs/spec/requests.md#strict-http). Other languages are in
 * `common/languages/<language>/errors/request-faults.ts`.
 */
export const REQUEST_FAULTS = {
  path_escape: 'the path has a malformed escape',
  query_escape: 'the query has a malformed escape',
  query_proto: 'the query has the forbidden name __proto__',
  forwarded_for: 'X-Forwarded-For is not a list of addresses',
  header_name: 'a header name has an underscore',
  header_value: 'a header value has a control byte',
  content_length: 'Content-Length is not one run of digits',
  transfer_encoding: 'Transfer-Encoding is other than "chunked"',
  expect: 'Expect is other than "100-continue"',
  version: 'the HTTP version is neither 1.0 nor 1.1',
  host_count: 'there is not exactly one Host',
  host: 'Host is not a name or address with an optional port',
  content_length_twice: 'Content-Length is repeated',
  transfer_encoding_twice: 'Transfer-Encoding is repeated',
  two_lengths: 'Transfer-Encoding and Content-Length stand together',
  chunked_in_1_0: 'Transfer-Encoding is not part of HTTP/1.0',
  content_type_twice: 'Content-Type is repeated',
  expect_twice: 'Expect is repeated',
  origin_twice: 'Origin is repeated',
  authorization_twice: 'Authorization is repeated',
  connect: 'CONNECT is not offered',
  trace: 'TRACE is not offered',
  method: 'the method is not an HTTP method',
  method_in_1_0: 'the method is not part of HTTP/1.0',
  target_length: 'the target is over 4,096 bytes',
  target_start: 'the target does not start with "/"',
  target_hash: 'the target has a "#"',
  tls_on_plain_port: 'TLS, where plain HTTP is spoken',
  charset: 'the charset is not UTF-8',
  not_utf8: 'the body is not UTF-8',
  json_deep: 'the JSON is nested over 1000 levels deep',
  json_proto: 'the JSON has a forbidden prototype property',
  json_ends: 'the JSON ends too early',
  not_json: 'the body is not JSON',
  json_as_form: 'the body is JSON, but was sent as a form; send the header Content-Type: application/json',
  form_escape: 'the form has a malformed escape',
  form_proto: 'the form has the forbidden name __proto__',
} as const;

export type RequestFaultName = keyof typeof REQUEST_FAULTS;
export type RequestFault = (typeof REQUEST_FAULTS)[RequestFaultName];

/** A code of Node's HTTP parser, such as `HPE_INVALID_METHOD`; `malformed` if there is none. */
export type ParserCode = 'malformed' | Uppercase<string>;

/** The fault of a stored cause; null: it is another cause. */
export function requestFaultOf(cause: string): RequestFaultName | null {
  const found = Object.entries(REQUEST_FAULTS).find(([, words]) => words === cause);
  return found === undefined ? null : (found[0] as RequestFaultName);
}
