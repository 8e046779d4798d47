import { CERTIFICATE_FILE, type CallPlan } from './plan.ts';
import { KEY_VARIABLE } from './key-variable.ts';

/** Python 3 with only its standard library, so that it runs on a bare machine. */
export function pythonCall(plan: CallPlan, timeoutSeconds: number): string {
  const { method, url, body, needsKey, ownCertificate } = plan;
  const headers = [
    ...(needsKey ? [`        "X-API-Key": os.environ[${literal(KEY_VARIABLE)}],`] : []),
    ...(body === undefined ? [] : ['        "Content-Type": "application/json",']),
  ];
  return [
    ...(body === undefined ? [] : ['import json']),
    ...(needsKey ? ['import os'] : []),
    ...(ownCertificate ? ['import ssl'] : []),
    'import urllib.error',
    'import urllib.request',
    '',
    ...(body === undefined ? [] : [`body = ${literal(body)}`]),
    'request = urllib.request.Request(',
    `    ${literal(url)},`,
    `    method=${literal(method)},`,
    ...(headers.length === 0 ? [] : ['    headers={', ...headers, '    },']),
    ...(body === undefined ? [] : ['    data=json.dumps(body).encode(),']),
    ')',
    ...(ownCertificate ? [`trusted = ssl.create_default_context(cafile=${literal(CERTIFICATE_FILE)})`] : []),
    'try:',
    `    with urllib.request.urlopen(request, ${ownCertificate ? 'context=trusted, ' : ''}timeout=${timeoutSeconds}) as response:`,
    '        print(response.status, response.read().decode())',
    'except urllib.error.HTTPError as error:',
    '    print(error.code, error.read().decode())',
    '',
  ].join('\n');
}

/** A JSON value in Python syntax. JSON escapes have the same meaning in a Python text. */
function literal(value: unknown, indent = ''): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  const parts = Array.isArray(value)
    ? value.map((one) => literal(one, inner))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${literal(one, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return open + close;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}
