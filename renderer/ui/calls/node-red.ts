import type { CallPlan } from './plan.ts';
import { KEY_VARIABLE } from './key-variable.ts';

/** A flow to import: inject, http request, debug (Node-RED 1.1 or later; the headers are read from 3.0 on). */
export function nodeRedCall({ method, url, body, needsKey }: CallPlan, name: string): string {
  const inject = {
    id: '51c1ce0000000001',
    type: 'inject',
    name,
    props: [{ p: 'payload' }, ...(isListed(method) ? [] : [{ p: 'method', v: method, vt: 'str' }])],
    repeat: '',
    crontab: '',
    once: false,
    onceDelay: 0.1,
    topic: '',
    payload: body === undefined ? '' : JSON.stringify(body),
    payloadType: body === undefined ? 'str' : 'json',
    x: 140,
    y: 80,
    wires: [['51c1ce0000000002']],
  };
  const request = {
    id: '51c1ce0000000002',
    type: 'http request',
    name,
    method: isListed(method) ? method : 'use',
    ret: 'txt',
    paytoqs: 'ignore',
    url,
    tls: '',
    persist: false,
    proxy: '',
    insecureHTTPParser: false,
    authType: '',
    senderr: false,
    headers: headersOf(needsKey, body !== undefined),
    x: 340,
    y: 80,
    wires: [['51c1ce0000000003']],
  };
  const debug = {
    id: '51c1ce0000000003',
    type: 'debug',
    name,
    active: true,
    tosidebar: true,
    console: false,
    tostatus: false,
    complete: 'true',
    targetType: 'full',
    x: 540,
    y: 80,
    wires: [],
  };
  return JSON.stringify([inject, request, debug], null, 2);
}

/** Methods in its form; any other is set in the message. */
function isListed(method: string): boolean {
  return ['GET', 'POST', 'PUT', 'DELETE'].includes(method);
}

/** A value `${NAME}` is an environment variable in Node-RED. */
function headersOf(needsKey: boolean, hasBody: boolean) {
  const header = (keyValue: string, valueValue: string) => ({
    keyType: 'other',
    keyValue,
    valueType: 'other',
    valueValue,
  });
  return [
    ...(needsKey ? [header('X-API-Key', `\${${KEY_VARIABLE}}`)] : []),
    ...(hasBody ? [header('Content-Type', 'application/json')] : []),
  ];
}
