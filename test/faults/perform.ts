import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Act } from './acts.ts';
import { reset } from './reset.ts';

/** One request that waits for its answer. */
export interface Stage {
  readonly socket: Socket;
  readonly response: ServerResponse;
  /** The JSON text of a correct response. */
  readonly text: string;
}

const JSON_TYPE = 'application/json';
/** A half-closed connection that the other side leaves open is destroyed after this long. */
const HALF_CLOSED_MS_MAX = 2000;

/** Responds, or fails, as defined by the act. */
export function perform(act: Act, stage: Stage): void {
  const { socket, response, text } = stage;
  switch (act) {
    case 'ok':
    case 'ok-late':
    case 'slow':
      return answer(stage, 200);
    case 'ok-after-interim':
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      return answer(stage, 201);
    case 'ok-until-close':
      socket.end(`HTTP/1.1 200 OK\r\nContent-Type: ${JSON_TYPE}\r\nConnection: close\r\n\r\n${text}`);
      return;
    case 'unread':
      return resetAfter(socket, wholeAnswer('200 OK', text));
    case 'reset':
      reset(socket);
      return;
    case 'half-close':
      return halfCloseAfter(socket, '');
    case 'garbage':
      return halfCloseAfter(socket, 'this is no answer\r\n\r\n');
    case 'reset-after-head':
      return resetAfter(socket, wholeAnswer('200 OK', text).slice(0, -text.length));
    case 'reset-in-body':
      return resetAfter(socket, wholeAnswer('200 OK', text).slice(0, -1));
    case 'half-close-in-body':
      return halfCloseAfter(socket, wholeAnswer('200 OK', text).slice(0, -1));
    case 'poison':
      return answer(stage, 400);
    case 'poison-unread':
      return resetAfter(socket, wholeAnswer('400 Bad Request', text));
    case 'status-429':
      response.setHeader('Retry-After', '1');
      return answer(stage, 429);
    case 'status-401':
    case 'status-408':
    case 'status-500':
    case 'status-502':
    case 'status-503':
      return answer(stage, Number(act.slice('status-'.length)));
  }
}

function answer({ response, text }: Stage, status: number): void {
  response.writeHead(status, { 'Content-Type': JSON_TYPE, 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}

function wholeAnswer(status: string, text: string): string {
  return `HTTP/1.1 ${status}\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

function resetAfter(socket: Socket, bytes: string): void {
  socket.write(bytes, () => reset(socket));
}

/** Ends only its own direction; the other side, or a timeout, closes the connection. */
function halfCloseAfter(socket: Socket, bytes: string): void {
  socket.end(bytes);
  const timer = setTimeout(() => socket.destroy(), HALF_CLOSED_MS_MAX);
  socket.once('end', () => socket.destroy());
  socket.once('close', () => clearTimeout(timer));
}
