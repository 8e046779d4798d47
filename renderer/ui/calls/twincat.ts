import { asciiJson, iecText, iecVariable } from './iec-text.ts';
import { CERTIFICATE_FILE, type CallPlan, KEY_PLACEHOLDER } from './plan.ts';

/**
 * Structured Text for TwinCAT 3 with TF6760 IoT HTTPS/REST (library Tc3_IotBase). The key is a separate variable, to be
 * filled from a file or the persistent data of the controller.
 */
export function twincatCall(plan: CallPlan): string {
  const { method, body, needsKey, ownCertificate } = plan;
  const { hostname, port, pathname, search, protocol } = new URL(plan.url);
  const sent = body === undefined ? null : asciiJson(JSON.stringify(body));
  const portNumber = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  return [
    '// TwinCAT 3, TF6760 IoT HTTPS/REST, library Tc3_IotBase.',
    'VAR',
    `  client : FB_IotHttpClient := (sHostName := ${iecText(hostname)}, nHostPort := ${portNumber}, bKeepAlive := TRUE);`,
    '  request : FB_IotHttpRequest;',
    '  header : FB_IotHttpHeaderFieldMap;',
    iecVariable('uri', pathname + search),
    ...(sent === null ? [] : [iecVariable('body', sent)]),
    ...(needsKey ? [`  apiKey : STRING(80) := ${iecText(KEY_PLACEHOLDER)};`] : []),
    '  start : BOOL;     // set it to call once',
    '  waiting : BOOL;',
    '  status : UINT;    // HTTP status of the reply',
    '  reply : STRING(255);',
    'END_VAR',
    '',
    ...(ownCertificate ? TRUST : []),
    'client.Execute();',
    'IF start AND NOT request.bBusy THEN',
    '  start := FALSE;',
    ...(needsKey ? ["  header.AddField('X-API-Key', apiKey, FALSE);"] : []),
    ...(sent === null ? [] : ["  request.sContentType := 'application/json';"]),
    '  waiting := request.SendRequest(',
    '    sUri := uri,',
    '    fbClient := client,',
    `    eRequestType := ETcIotHttpRequestType.${REQUEST_TYPES[method]},`,
    ...(sent === null
      ? ['    pContent := 0,', '    nContentSize := 0,']
      : ['    pContent := ADR(body),', '    nContentSize := LEN2(ADR(body)),']),
    '    fbHeader := header);',
    'END_IF',
    'IF waiting AND NOT request.bBusy THEN',
    '  waiting := FALSE;',
    '  status := request.nStatusCode;',
    '  request.GetContent(pContent := ADR(reply), nContentSize := SIZEOF(reply), bSetNullTermination := TRUE);',
    'END_IF',
    '',
  ].join('\n');
}

/** The folder in which Beckhoff's examples keep certificates. */
const FOLDER = String.raw`C:\TwinCAT\3.1\Config\Certificates`;
const TRUST = [
  `// Copy ${CERTIFICATE_FILE} to this folder of the controller.`,
  `client.stTLS.sCA := '${FOLDER}\\${CERTIFICATE_FILE}';`,
];

const REQUEST_TYPES: Readonly<Record<CallPlan['method'], string>> = {
  GET: 'HTTP_Get',
  POST: 'HTTP_Post',
  PUT: 'HTTP_Put',
  PATCH: 'HTTP_Patch',
  DELETE: 'HTTP_Delete',
};
