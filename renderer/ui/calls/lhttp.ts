import { asciiJson, iecText as text } from './iec-text.ts';
import { CERTIFICATE_FILE, type CallPlan, KEY_PLACEHOLDER } from './plan.ts';

/**
 * SCL for S7-1500 and S7-1200 with Siemens' library LHTTP (support entry 109763879). Its blocks write their own request
 * head, without support for custom headers: the line with the key has to be added to it once, as the comment of the
 * snippet says. Names of parameters differ slightly between versions of the library.
 */
export function lhttpCall(plan: CallPlan): string {
  const { method, body } = plan;
  const block = method === 'GET' ? 'LHTTP_Get' : 'LHTTP_PostPut';
  const sent = body === undefined ? null : asciiJson(JSON.stringify(body));
  return [
    ...head(plan, block),
    ...declarations(block, sent),
    '',
    `#url := ${text(plan.url)};`,
    ...(sent === null ? [] : requestData(sent)),
    '',
    ...blockCall(plan),
    '',
    'IF #call.done THEN',
    '    #answered := #call.responseCode;   // HTTP status; the body is in #response',
    'ELSIF #call.error THEN',
    '    #failed := #call.status;           // 16#809B: hwId names no PROFINET interface',
    'END_IF;',
    '',
  ].join('\n');
}

function head({ method, url, needsKey, ownCertificate }: CallPlan, block: string): string[] {
  const odd = method === 'DELETE' || method === 'PATCH';
  return [
    '// Siemens LHTTP for S7-1500 and S7-1200 (TIA Portal, support entry 109763879).',
    '// Compare the names of the parameters with your version of the library.',
    ...(odd
      ? [
          `// The library has no block for ${method}: copy ${block} and write ${method} in the first line of its request.`,
        ]
      : []),
    ...(method === 'PUT' ? ['// Set the block to PUT: it sends POST and PUT.'] : []),
    ...(needsKey
      ? [
          '// The block writes its own request head. Add this line to it, before the empty line:',
          `//   X-API-Key: ${KEY_PLACEHOLDER}`,
        ]
      : []),
    ...(ownCertificate ? TRUST : []),
    ...(url.length > STRING_CHARS_MAX
      ? [`// The address has over ${STRING_CHARS_MAX} characters: make it a WSTRING.`]
      : []),
    '',
  ];
}

/** The menus of TIA Portal. */
const TRUST = [
  `// Import ${CERTIFICATE_FILE} under Security settings, Certificate manager, Trusted certificates and root certification`,
  '// authorities. Add it to the CPU under Properties, Protection & Security, Certificate manager, Certificates of partner',
  '// devices. Enter its ID as the server certificate in the TLS parameters of the block.',
];

/** The buffer size of the library's examples. */
const BUFFER_BYTES = 4096;

function declarations(block: string, sent: string | null): string[] {
  const bytes = Math.max(BUFFER_BYTES, sent?.length ?? 0);
  return [
    '// VAR',
    `//   call : "${block}";`,
    '//   start : Bool;   // a rising edge calls',
    '//   url : String;',
    ...(sent !== null
      ? [`//   request : Array[0..${bytes - 1}] of Char;`, '//   requestLength : UDInt;', '//   written : UInt;']
      : []),
    `//   response : Array[0..${BUFFER_BYTES - 1}] of Char;`,
    '//   answered : UInt;',
    '//   failed : Word;',
    '// END_VAR',
  ];
}

function blockCall({ body }: CallPlan): string[] {
  const inputs = [
    'req := #start',
    'url := #url',
    'hwId := 64   // PROFINET interface 1 of an S7-1500; 0 on an S7-1200',
    'connId := 1  // free connection number of this CPU',
    ...(body === undefined
      ? []
      : ["contentType := 'application/json'", 'requestData := #request', 'requestLength := #requestLength']),
    'responseData := #response',
  ];
  return ['#call(', ...inputs.map((input, index) => `    ${withComma(input, index === inputs.length - 1)}`), ');'];
}

/** Before the comment, if there is one. */
function withComma(line: string, isLast: boolean): string {
  if (isLast) return line;
  return line.replace(/^(.*?)(\s*\/\/.*)?$/, (_, code: string, comment = '') => `${code},${String(comment)}`);
}

const STRING_CHARS_MAX = 254;
const PIECE_CHARS = 160;

/** In pieces, because a text in SCL has at most 254 characters. */
function requestData(ascii: string): string[] {
  const pieces = ascii.match(new RegExp(`[^]{1,${PIECE_CHARS}}`, 'g')) ?? [];
  const lines = pieces.map(
    (piece, index) =>
      `Strg_TO_Chars(Strg := ${text(piece)}, pChars := ${index * PIECE_CHARS}, Cnt => #written, Chars := #request);`,
  );
  return [...lines, `#requestLength := ${ascii.length};`];
}
