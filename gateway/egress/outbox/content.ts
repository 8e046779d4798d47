/**
 * The encrypted part of an event: everything that the sender supplied. Format: 4 bytes, the length of a JSON head; the
 * head; the body.
 */
export interface EventContent {
  readonly path: string;
  readonly contentType: string | null;
  readonly orderingKey: string | null;
  readonly traceparent: string | null;
  readonly body: Uint8Array | null;
}

const LENGTH_BYTES = 4;

export function packContent({ body, ...head }: EventContent): Buffer {
  const text = Buffer.from(JSON.stringify({ ...head, hasBody: body !== null }));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(text.length);
  return Buffer.concat(body === null ? [length, text] : [length, text, body]);
}

export function unpackContent(packed: Buffer): EventContent {
  const bodyAt = LENGTH_BYTES + packed.readUInt32BE(0);
  const head = JSON.parse(packed.toString('utf8', LENGTH_BYTES, bodyAt)) as Head;
  const { path, contentType, orderingKey, traceparent, hasBody } = head;
  return { path, contentType, orderingKey, traceparent, body: hasBody ? packed.subarray(bodyAt) : null };
}

type Head = Omit<EventContent, 'body'> & { readonly hasBody: boolean };
