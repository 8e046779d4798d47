import type {
  ClientSession,
  ClientSessionPublishService,
  ClientSessionRawSubscriptionService,
  UserIdentityInfo,
} from 'node-opcua-client';
import { NodeError } from '#sdk';
import type { Target, TargetGuard } from '#net/target-guard.ts';
import { type OpcuaSettings, endpointUrl, peerName } from './address.ts';
import { type Wire, createWire } from './client.ts';
import { discoverSecurity } from './discovery.ts';
import { loadIdentity } from './identity.ts';
import { type Opcua, loadOpcua } from './library.ts';
import { ANSWER_MS_MAX, CLOSE_MS_MAX, CONNECT_MS_MAX, KEEP_ALIVE_MS } from './limits.ts';
import { reasonOf } from './reason.ts';
import { checkSettings } from './settings.ts';
import { unlessAborted, within } from './timing.ts';

/**
 * The session with its basic services. The library's own subscriptions turn unexpected messages of a server into
 * uncatchable errors (an event for an unknown item ends the process), so Sluice has its own.
 */
export type Session = ClientSession & ClientSessionRawSubscriptionService & ClientSessionPublishService;

/**
 * One session with a server, from opening to closing.
 *
 * States: open → lost (once, final; with the reason of `ended`). Lost immediately when the channel or the session ends,
 * and within KEEP_ALIVE_MS + ANSWER_MS_MAX when the peer is silent.
 */
export interface Link {
  readonly opcua: Opcua;
  readonly session: Session;
  readonly peer: string;
  /**
   * Aborts with a NodeError `device_unreachable` or `target_refused`, whose message is the reason, as soon as the link
   * is lost.
   */
  readonly ended: AbortSignal;
  /** Ends the link because of an error that another component detected. */
  fail(reason: string): void;
  close(): Promise<void>;
}

interface Guarded extends Link {
  end(error: NodeError): void;
}

export interface LinkParts {
  readonly guard: TargetGuard;
  readonly dataDir: string;
}

/** Throws NodeError with a reason for users, within CONNECT_MS_MAX. */
export async function openLink(settings: OpcuaSettings, parts: LinkParts, signal: AbortSignal): Promise<Link> {
  const peer = peerName(settings);
  const limit = AbortSignal.timeout(CONNECT_MS_MAX);
  const both = AbortSignal.any([signal, limit]);
  try {
    checkSettings(settings);
    return await connect(settings, parts, both);
  } catch (error) {
    signal.throwIfAborted();
    const text = limit.aborted ? `no answer from ${peer} within ${CONNECT_MS_MAX} ms` : reasonOf(error, peer);
    throw error instanceof NodeError ? error : new NodeError('device_unreachable', text, { cause: error });
  }
}

async function connect(settings: OpcuaSettings, parts: LinkParts, signal: AbortSignal): Promise<Link> {
  const target = await unlessAborted(parts.guard.resolve(settings.host, settings.port), signal);
  const refused = new AbortController();
  const release = parts.guard.hold(target, (refusal) => refused.abort(refusal));
  try {
    const link = await dialled(settings, parts, target, AbortSignal.any([signal, refused.signal]));
    refused.signal.addEventListener('abort', () => link.end(refused.signal.reason), { once: true });
    link.ended.addEventListener('abort', release, { once: true });
    return link;
  } catch (error) {
    release();
    throw error;
  }
}

async function dialled(
  settings: OpcuaSettings,
  parts: LinkParts,
  target: Target,
  signal: AbortSignal,
): Promise<Guarded> {
  const opcua = await loadOpcua();
  const identity = await loadIdentity(opcua, parts.dataDir, Date.now());
  const url = endpointUrl(target, settings.path);
  const security = await discoverSecurity(opcua, identity, { url, settings }, signal);
  const wire = createWire(opcua, identity, security);
  try {
    await unlessAborted(wire.client.connect(url), signal);
    const session = await unlessAborted(wire.client.createSession(userOf(opcua, settings)), signal);
    return guarded(opcua, wire, session as Session, peerName(settings));
  } catch (error) {
    await wire.close();
    throw error;
  }
}

function userOf(opcua: Opcua, { user, password }: OpcuaSettings): UserIdentityInfo {
  const { UserTokenType } = opcua;
  if (user === '') return { type: UserTokenType.Anonymous };
  return { type: UserTokenType.UserName, userName: user, password: password ?? '' };
}

function guarded(opcua: Opcua, wire: Wire, session: Session, peer: string): Guarded {
  const end = new AbortController();
  const fail = (reason: string) => end.abort(new NodeError('device_unreachable', reason));
  wire.client.on('connection_lost', () => fail(`${peer} ended the connection`));
  wire.client.on('close', () => fail(`${peer} ended the connection`));
  session.on('session_closed', () => fail(`${peer} ended the session`));
  const stop = keepAlive(opcua, session, () => fail(`no answer from ${peer} within ${ANSWER_MS_MAX} ms`));
  end.signal.addEventListener('abort', stop, { once: true });
  const close = async () => {
    if (end.signal.aborted) return wire.close();
    fail('closed');
    await within(
      session.close().catch(() => undefined),
      CLOSE_MS_MAX,
      () => undefined,
    );
    await wire.close();
  };
  return { opcua, session, peer, ended: end.signal, fail, end: (error) => end.abort(error), close };
}

/** Reads the state of the server, a cheap read that every server supports. */
function keepAlive(opcua: Opcua, session: ClientSession, silent: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const nodeId = opcua.coerceNodeId(opcua.VariableIds.Server_ServerStatus_State);
  const ask = async () => {
    const read = session.read({ nodeId, attributeId: opcua.AttributeIds.Value });
    const alive = await within(
      read.then(() => true),
      ANSWER_MS_MAX,
      () => false,
    ).catch(() => false);
    if (stopped) return;
    if (!alive) return silent();
    timer = setTimeout(ask, KEEP_ALIVE_MS);
  };
  timer = setTimeout(ask, KEEP_ALIVE_MS);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
