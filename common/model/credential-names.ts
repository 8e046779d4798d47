/**
 * Names of headers, query parameters and fields whose values are credentials, such as `Authorization`,
 * `X-Webhook-Token`, `X-Hub-Signature-256`, `apiKey` and `sig`.
 */
const WORDS =
  'auth|authorization|bearer|cookie|credentials?|jwt|otp|pass|passphrase|passwd|password|pwd|sas|secret|sig|signature|token|totp|(?:access|api|auth|functions|private|secret|signing|subscription)[-_]?key';
const IN_NAME = new RegExp(`(?:^|[^a-z])(?:${WORDS})(?:$|[^a-z])`, 'i');
/** Ordinary words: only as the whole name of a header or query parameter. */
const WHOLE_NAME = /^(?:code|session(?:[-_]?id)?|sid)$/i;

/** Whether a header or query parameter of this name carries a credential. */
export function isCredentialName(name: string): boolean {
  return WHOLE_NAME.test(name) || isCredentialField(name);
}

/** The same for a field of a body, where `code` and `session` are ordinary data, such as a product code. */
export function isCredentialField(name: string): boolean {
  return IN_NAME.test(name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-'));
}
