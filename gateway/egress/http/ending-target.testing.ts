import type { Socket } from 'node:net';
import type { Opened, TestTarget } from './target.testing.ts';

/** A request of which the target has read at least the head. */
export interface Arrival {
  /** Index of its connection, from 0. */
  readonly connection: number;
  readonly method: string;
  /** Its Idempotency-Key; null: it has none. */
  readonly key: string | null;
}

export interface EndingTarget extends TestTarget {
  readonly arrivals: Arrival[];
}

type Act = (socket: Socket, connection: number) => void;

export const answerOk: Act = (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');

/**
 * A target that replies to the first request of each connection, keeps it open, and closes it as soon as a byte of a
 * second request arrives: like a target that closes idle connections just before a call arrives.
 */
export async function endingTarget(
  opened: Opened,
  { first = answerOk, second = (socket: Socket) => void socket.end() }: { first?: Act; second?: Act } = {},
): Promise<EndingTarget> {
  const arrivals: Arrival[] = [];
  const target = await opened.raw((socket, connection) => {
    let text = '';
    let answered = false;
    socket.on('data', (chunk: Buffer) => {
      if (answered) {
        arrivals.push(arrivalOf(connection, chunk.toString('latin1')));
        return second(socket, connection);
      }
      text += chunk.toString('latin1');
      if (!isWhole(text)) return;
      answered = true;
      arrivals.push(arrivalOf(connection, text));
      first(socket, connection);
    });
  });
  return Object.assign(target, { arrivals });
}

function isWhole(text: string): boolean {
  const head = text.indexOf('\r\n\r\n');
  const bodyBytes = Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0);
  return head >= 0 && text.length >= head + 4 + bodyBytes;
}

function arrivalOf(connection: number, text: string): Arrival {
  return {
    connection,
    method: /^[A-Z]+/.exec(text)?.[0] ?? '',
    key: /^idempotency-key: (.*?)\r$/im.exec(text)?.[1] ?? null,
  };
}
