import { connect, type Socket } from 'node:net';

/**
 * A caller for load in tests: one socket, opened again when the gateway ends it, and a fixed number of requests in
 * flight (more than one = pipelining). It parses leniently, by Content-Length alone; the strict parser is in
 * response-parser.ts.
 */
export interface Caller {
  /** Sends one batch of `depth` requests and returns their responses, fewer if the gateway ended the socket. */
  burst(request: (index: number) => string): Promise<Answer[]>;
  close(): void;
}

export interface Answer {
  readonly status: number;
  readonly requestId: string;
  /** The code of the gateway's own refusals, else ''. */
  readonly code: string;
}

const HEAD_END = '\r\n\r\n';

export function createCaller(port: number, depth: number, localAddress = '127.0.0.1'): Caller {
  let socket: Socket | null = null;
  let text = '';
  let answers: Answer[] = [];
  let wake: () => void = () => {};

  function open(): Socket {
    const fresh = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
    text = '';
    fresh.setEncoding('latin1');
    fresh.on('data', (chunk: string) => {
      if (fresh !== socket) return;
      text += chunk;
      text = take(text, answers);
      if (answers.length >= depth) wake();
    });
    const gone = () => {
      if (fresh !== socket) return;
      socket = null;
      wake();
    };
    fresh.on('end', () => fresh.destroy());
    fresh.on('close', gone).on('error', gone);
    return fresh;
  }

  return {
    async burst(request) {
      answers = [];
      const answered = new Promise<void>((resolve) => (wake = resolve));
      socket ??= open();
      socket.write(Array.from({ length: depth }, (_, index) => request(index)).join(''));
      await answered;
      return answers;
    },
    close() {
      const last = socket;
      socket = null;
      last?.destroy();
      wake();
    },
  };
}

/** Moves complete responses from the text to the list; returns the rest. */
function take(text: string, answers: Answer[]): string {
  for (;;) {
    const end = text.indexOf(HEAD_END);
    if (end < 0) return text;
    const head = text.slice(0, end);
    const bytes = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    const total = end + HEAD_END.length + bytes;
    if (text.length < total) return text;
    answers.push({
      status: Number(head.slice(9, 12)),
      requestId: /\r\nx-request-id: (\S+)/i.exec(head)?.[1] ?? '',
      code: /"code":"(\w+)"/.exec(text.slice(end, total))?.[1] ?? '',
    });
    text = text.slice(total);
  }
}
