/**
 * A strict parser of HTTP/1.1 responses: errors that a lenient client would accept fail here, because callers of a
 * gateway are often small devices with simple parsers (RFC 9112).
 */
export interface RawResponse {
  readonly status: number;
  /** Lower-case names, in order, including repeated ones. */
  readonly headerLines: readonly (readonly [string, string])[];
  readonly body: Buffer;
  /** Milliseconds after the first byte was sent. */
  readonly atMs: number;
  /** The value of a header, undefined without it; throws if it is repeated. */
  header(name: string): string | undefined;
  text(): string;
  json(): unknown;
}

const STATUS_LINE = /^HTTP\/1\.1 ([1-5]\d\d) [\x20-\x7e]*$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?([\x20-\x7e\t\x80-\xff]*)$/;

export class ResponseParser {
  #bytes = Buffer.alloc(0);
  /** True for each request, in order, whose response has no body because it was HEAD. */
  readonly #heads: boolean[];

  constructor(heads: readonly boolean[] = []) {
    this.#heads = [...heads];
  }

  get rest(): Buffer {
    return this.#bytes;
  }

  expectHead(head: boolean): void {
    this.#heads.push(head);
  }

  /** Takes bytes and returns every complete response. Throws on anything that is not strict HTTP/1.1. */
  push(chunk: Buffer, atMs: number): RawResponse[] {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    const responses: RawResponse[] = [];
    for (let next = this.#next(atMs); next !== null; next = this.#next(atMs)) responses.push(next);
    return responses;
  }

  #next(atMs: number): RawResponse | null {
    const end = this.#bytes.indexOf('\r\n\r\n');
    if (end < 0) return null;
    const [statusLine = '', ...lines] = this.#bytes.toString('latin1', 0, end).split('\r\n');
    const status = Number(STATUS_LINE.exec(statusLine)?.[1] ?? fail(`bad status line ${JSON.stringify(statusLine)}`));
    const headerLines = lines.map(parseHeaderLine);
    const framed = this.#body(status, headerLines, end + 4);
    if (!framed) return null;
    if (status >= 200) this.#heads.shift();
    this.#bytes = this.#bytes.subarray(framed.end);
    return makeResponse(status, headerLines, framed.body, atMs);
  }

  #body(status: number, lines: Lines, start: number): { body: Buffer; end: number } | null {
    const codings = valuesOf(lines, 'transfer-encoding');
    const lengths = valuesOf(lines, 'content-length');
    if (codings.length + lengths.length > 1) fail('more than one framing header');
    const none = status < 200 || status === 204 || status === 304;
    if (none && codings.length + lengths.length > 0 && status !== 304) fail(`framing header on ${status}`);
    if (none || this.#heads[0] === true) return { body: Buffer.alloc(0), end: start };
    if (codings.length === 1) return codings[0] === 'chunked' ? this.#chunks(start) : fail(`coding ${codings[0]}`);
    if (lengths.length === 0) fail(`response ${status} has neither Content-Length nor Transfer-Encoding`);
    const bytes = /^\d+$/.test(lengths[0] ?? '') ? Number(lengths[0]) : fail(`Content-Length ${lengths[0]}`);
    if (this.#bytes.length < start + bytes) return null;
    return { body: this.#bytes.subarray(start, start + bytes), end: start + bytes };
  }

  #chunks(start: number): { body: Buffer; end: number } | null {
    const parts: Buffer[] = [];
    let at = start;
    for (;;) {
      const eol = this.#bytes.indexOf('\r\n', at);
      if (eol < 0) return null;
      const text = this.#bytes.toString('latin1', at, eol);
      const size = /^[0-9a-fA-F]{1,8}$/.test(text) ? Number.parseInt(text, 16) : fail(`chunk size ${text}`);
      const dataEnd = eol + 2 + size;
      if (this.#bytes.length < dataEnd + 2) return null;
      if (this.#bytes.toString('latin1', dataEnd, dataEnd + 2) !== '\r\n') fail('chunk without its line end');
      if (size === 0) return { body: Buffer.concat(parts), end: dataEnd + 2 };
      parts.push(this.#bytes.subarray(eol + 2, dataEnd));
      at = dataEnd + 2;
    }
  }
}

type Lines = readonly (readonly [string, string])[];

function parseHeaderLine(line: string): readonly [string, string] {
  const match = HEADER_LINE.exec(line);
  if (!match) return fail(`bad header line ${JSON.stringify(line)}`);
  return [(match[1] ?? '').toLowerCase(), match[2] ?? ''];
}

function valuesOf(lines: Lines, name: string): string[] {
  return lines.filter(([other]) => other === name).map(([, value]) => value);
}

function makeResponse(status: number, headerLines: Lines, body: Buffer, atMs: number): RawResponse {
  return {
    status,
    headerLines,
    body,
    atMs,
    header(name) {
      const values = valuesOf(headerLines, name.toLowerCase());
      if (values.length > 1) fail(`header ${name} came ${values.length} times`);
      return values[0];
    },
    text: () => body.toString('utf8'),
    json: () => JSON.parse(body.toString('utf8')) as unknown,
  };
}

function fail(what: string): never {
  throw new Error(`the response is not strict HTTP/1.1: ${what}`);
}
