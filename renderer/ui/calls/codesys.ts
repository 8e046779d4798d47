import { asciiJson, iecText, iecVariable } from './iec-text.ts';
import { CERTIFICATE_FILE, type CallPlan, KEY_PLACEHOLDER } from './plan.ts';

/**
 * Structured Text for CODESYS with its libraries CAA Net Base Services (NBS) and StringUtils (Stu): the request is
 * written to a TCP connection, so that no licence is needed. Without TLS. The key is in a separate variable.
 */
export function codesysCall({ method, url, body, needsKey, ownCertificate }: CallPlan): string {
  const { hostname, host, port, protocol, pathname, search } = new URL(url);
  const sent = body === undefined ? null : asciiJson(JSON.stringify(body));
  const lines = [
    `${method} ${pathname}${search} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: close',
    ...(sent === null ? [] : ['Content-Type: application/json', `Content-Length: ${sent.length}`]),
  ];
  const head = `${lines.join('\r\n')}\r\n${needsKey ? 'X-API-Key: ' : ''}`;
  return [
    '// CODESYS, libraries CAA Net Base Services (NBS) and StringUtils (Stu). Plain HTTP only.',
    ...(protocol === 'https:' ? TLS : []),
    ...(ownCertificate ? TRUST : []),
    'VAR',
    '  client : NBS.TCP_Client;',
    '  writer : NBS.TCP_Write;',
    '  reader : NBS.TCP_Read;',
    `  address : NBS.IP_ADDR := (sAddr := ${iecText(hostname)});   // the IP address of Sluice`,
    ...(needsKey ? [`  apiKey : STRING(80) := ${iecText(KEY_PLACEHOLDER)};`] : []),
    iecVariable('head', head),
    iecVariable('headEnd', needsKey ? '\r\n\r\n' : '\r\n'),
    ...(sent === null ? [] : [iecVariable('body', sent)]),
    `  request : STRING(${head.length + HEAD_END_BYTES + (sent?.length ?? 0)});`,
    '  reply : STRING(1024);   // begins with the status line, such as HTTP/1.1 200 OK',
    '  start : BOOL;           // a rising edge calls',
    'END_VAR',
    '',
    "request := '';",
    ...['head', ...(needsKey ? ['apiKey'] : []), 'headEnd', ...(sent === null ? [] : ['body'])].map(
      (part) => `Stu.StrConcatA(ADR(${part}), ADR(request), SIZEOF(request));`,
    ),
    `client(xEnable := start, ipAddr := address, uiPort := ${port === '' ? (protocol === 'https:' ? '443' : '80') : port});`,
    'writer(xExecute := client.xActive, hConnection := client.hConnection,',
    '  szSize := Stu.StrLenA(ADR(request)), pData := ADR(request));',
    'reader(xEnable := client.xActive, hConnection := client.hConnection,',
    '  szSize := SIZEOF(reply) - 1, pData := ADR(reply));',
    '',
  ].join('\n');
}

const TLS = [
  '// This gateway uses TLS, which NBS does not have: send the request with the library Web Client (CODESYS IIoT Libraries SL).',
];
const TRUST = [
  `// Rename ${CERTIFICATE_FILE} to sluice.cer. Load it onto the PLC in the view Security Screen, tab Devices, and move it to`,
  '// Trusted Certificates.',
];

/** The key and the empty line. */
const HEAD_END_BYTES = 96;
