import { asciiJson, iecText, iecVariable } from './iec-text.ts';
import { type CallPlan, KEY_PLACEHOLDER } from './plan.ts';

/**
 * Structured Text for CODESYS with its libraries CAA Net Base Services (NBS) and StringUtils (Stu): the request is
 * written to a TCP connection, so that no licence is needed. Without TLS. The key is in a separate variable.
 */
export function codesysCall({ method, url, body, needsKey }: CallPlan): string {
  const { hostname, host, port, pathname, search } = new URL(url);
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
    `client(xEnable := start, ipAddr := address, uiPort := ${port === '' ? '80' : port});`,
    'writer(xExecute := client.xActive, hConnection := client.hConnection,',
    '  szSize := Stu.StrLenA(ADR(request)), pData := ADR(request));',
    'reader(xEnable := client.xActive, hConnection := client.hConnection,',
    '  szSize := SIZEOF(reply) - 1, pData := ADR(reply));',
    '',
  ].join('\n');
}

/** The key and the empty line. */
const HEAD_END_BYTES = 96;
