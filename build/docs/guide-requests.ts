/** One request of a guide, unchanged, and its response according to the guide. */
export interface GuideRequest {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  /** Null: any 2xx. */
  readonly status: number | null;
  /** Null: not in the guide. A text `…` matches any value. */
  readonly answer: unknown;
}

const BLOCK = /^```http\n(?<request>[^]*?)\n```$(?:\n\n```json\n(?<answer>[^]*?)\n```$)?/gm;
const STATUS = /\n# answers (?<status>\d{3})$/;

/** The `http` blocks of a page, each with the `json` block right after it. Throws on invalid JSON. */
export function guideRequests(page: string): GuideRequest[] {
  return [...page.matchAll(BLOCK)].map(({ groups = {} }) => {
    const [text, status] = splitStatus(groups['request'] ?? '');
    const [line, body] = split(text, '\n\n');
    const [method, path = ''] = split(line, ' ');
    return {
      method,
      path,
      body: body === undefined ? undefined : JSON.parse(body),
      status: status === undefined ? null : Number(status),
      answer: groups['answer'] === undefined ? null : JSON.parse(groups['answer']),
    };
  });
}

function splitStatus(text: string): [string, string | undefined] {
  return [text.replace(STATUS, ''), STATUS.exec(text)?.groups?.['status']];
}

function split(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}
