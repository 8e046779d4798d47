import { KEY_VARIABLE } from './key-variable.ts';
import { CERTIFICATE_FILE, type CallPlan } from './plan.ts';

/** The key is read from a shell variable. */
const CURL_KEY = `"X-API-Key: $${KEY_VARIABLE}"`;

/** A curl command for a POSIX shell; `key` is a placeholder; absent if a variable contains the key. */
export function curlCall({ method, url, body, needsKey, ownCertificate }: CallPlan, key?: string): string {
  // Brackets of an IPv6 address and similar characters are not patterns.
  const literal = /[[\]{}]/.test(url) ? ' -g' : '';
  const trusted = ownCertificate ? ` --cacert ${CERTIFICATE_FILE}` : '';
  const verb = method === 'GET' ? '' : ` -X ${method}`;
  const parts = [
    `curl -i${trusted}${literal}${verb} ${quoted(url)}`,
    ...(needsKey ? [`-H ${key === undefined ? CURL_KEY : quoted(`X-API-Key: ${key}`)}`] : []),
    // --data-raw: a body that begins with @ is not a file name.
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `--data-raw ${quoted(JSON.stringify(body))}`]),
  ];
  return parts.join(' \\\n  ');
}

/** In a POSIX shell the only special character between single quotes is the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
