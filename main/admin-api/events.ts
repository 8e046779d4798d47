import type { Response } from 'express';
import type { GatewayEvent } from '#common/control/messages.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { Permission } from '#common/model/records.ts';
import type { Session } from '../contracts.ts';

/**
 * Live streams (Server-Sent Events, WHATWG HTML 9.2) of `GET /events`. Each event is named by its `kind` and is sent
 * only to streams of users with the permission for it.
 *
 * Limits: 64 streams in all, 8 per user; a stream whose reader falls 256 KiB behind is cut (the admin UI opens it again
 * and reads the state). Security: a stream ends when its session does: at once on log-out, deactivation or a change of
 * roles or password, and within a heartbeat (2 s) when the session runs out.
 *
 * The heartbeat also shows the admin UI that its values are current (docs/spec/ui.md#old-values).
 */
export const STREAMS_MAX = 64;
export const STREAMS_PER_USER_MAX = 8;
export const BEHIND_BYTES_MAX = 256 * 1024;
export const HEARTBEAT_MS = 2_000;

export type AdminEvent =
  | GatewayEvent
  | { kind: 'state' }
  /** Data was changed through the API: read it again. */
  | {
      kind: 'changed';
      what:
        | 'project'
        | 'pipeline'
        | 'key'
        | 'person'
        | 'role'
        | 'token'
        | 'settings'
        | 'plugin'
        | 'egress'
        | 'presence'
        | ResourceWord;
      project?: string;
      pipeline?: string;
    };

export type ResourceWord = 'connection' | 'query' | 'tag' | 'script' | 'variable' | 'file';

export interface EventHub {
  open(response: Response, session: Session, cookie: string): void;
  publish(event: AdminEvent): void;
  closeSession(cookie: string): void;
  closeUser(userId: string): void;
  close(): void;
  readonly size: number;
}

interface Stream {
  readonly response: Response;
  readonly userId: string;
  readonly cookie: string;
  readonly permissions: ReadonlySet<Permission>;
}

export function createEventHub(sessionLives: (cookie: string) => boolean, heartbeatMs = HEARTBEAT_MS): EventHub {
  const streams = new Set<Stream>();
  const end = (stream: Stream): void => {
    streams.delete(stream);
    stream.response.end();
  };
  const endWhere = (wanted: (stream: Stream) => boolean): void => {
    for (const stream of streams) if (wanted(stream)) end(stream);
  };

  const send = (stream: Stream, text: string): void => {
    stream.response.write(text);
    if (stream.response.writableLength <= BEHIND_BYTES_MAX) return;
    streams.delete(stream);
    stream.response.destroy();
  };

  const timer = setInterval(() => {
    endWhere((stream) => !sessionLives(stream.cookie));
    for (const stream of streams) send(stream, ': alive\n\n');
  }, heartbeatMs);
  timer.unref();

  return {
    open(response, session, cookie) {
      const own = [...streams].filter((stream) => stream.userId === session.user.id).length;
      if (streams.size >= STREAMS_MAX || own >= STREAMS_PER_USER_MAX) {
        throw new SluiceError(
          'overloaded',
          `At most ${STREAMS_PER_USER_MAX} live streams per user and ${STREAMS_MAX} in all; close another window.`,
        );
      }
      const stream = { response, userId: session.user.id, cookie, permissions: session.permissions };
      response.status(200).set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' });
      response.flushHeaders();
      response.on('close', () => streams.delete(stream));
      streams.add(stream);
      send(stream, 'retry: 2000\n\n');
    },
    publish(event) {
      const permission = permissionFor(event);
      const text = `event: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`;
      for (const stream of streams) if (stream.permissions.has(permission)) send(stream, text);
    },
    closeSession: (cookie) => endWhere((stream) => stream.cookie === cookie),
    closeUser: (userId) => endWhere((stream) => stream.userId === userId),
    close() {
      clearInterval(timer);
      endWhere(() => true);
    },
    get size() {
      return streams.size;
    },
  };
}

/** The permission that reading the same thing by a call needs. */
function permissionFor(event: AdminEvent): Permission {
  switch (event.kind) {
    case 'refused':
      return 'view_audit';
    case 'state':
    case 'journal':
    case 'pipeline-warning':
    case 'trigger-faults':
    case 'disk-writers':
    case 'shares':
    case 'egress':
      return 'view';
    case 'key-sighting':
      return 'manage_keys';
    case 'changed':
      break;
  }
  switch (event.what) {
    case 'key':
      return 'manage_keys';
    case 'settings':
      return 'access_settings';
    case 'person':
    case 'role':
    case 'token':
      return 'manage_users';
    case 'project':
    case 'pipeline':
    // With a plugin the node kinds change, which everyone reads.
    case 'plugin':
    case 'egress':
    case 'presence':
    case 'connection':
    case 'query':
    case 'tag':
    case 'script':
    case 'variable':
    case 'file':
      return 'view';
  }
}
