import { isCallName } from '#common/capabilities/calls.ts';
import type { CallerOfWrite, GatewayCalls } from '#common/control/messages.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import { adminCodeOf } from '#common/errors/node-codes.ts';
import type { Logger } from '#common/node/log.ts';
import { SCOPES, scopeMask } from '#common/scopes.ts';
import { NodeError } from '#sdk';
import type { CallContext } from './contract.ts';
import type { CapabilityBroker } from './capability-broker.ts';
import { grantsPrincipal } from './principal.ts';

/** Longer than the time limit of any call. */
const PERSON_MS_MAX = 3_600_000;
const EVERY_SCOPE = grantsPrincipal(scopeMask(SCOPES));

/**
 * Capability calls of the admin API. The host has checked the permission of the user, the broker checks the rest. Bytes
 * are sent as `{ "base64": … }`: as `content` of the format `bytes` in requests, as the whole value in responses. Throws
 * SluiceError.
 */
export async function callForPerson(
  door: CapabilityBroker,
  log: Logger,
  { project, name, args, who = {} }: GatewayCalls['capability']['args'],
): Promise<unknown> {
  if (!isCallName(name)) throw new SluiceError('invalid', `There is no call "${name.slice(0, 60)}".`);
  const value: unknown = await withAdminErrors(
    door.call(personContext(project, log, who), name, withBytes(args) as never),
  );
  return value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value;
}

/** Converts the error that a node would receive to one of the admin API. */
export async function withAdminErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    throw new SluiceError(adminCodeOf(error.code), error.sentence ?? error.message, { cause: error });
  }
}

function personContext(project: string, log: Logger, who: CallerOfWrite): CallContext {
  return {
    project,
    pipeline: '',
    node: '',
    principal: EVERY_SCOPE,
    signal: new AbortController().signal,
    remainingMs: () => PERSON_MS_MAX,
    depth: 0,
    hops: 0,
    log: (level, message) => log[level](message, { project }),
    origin: () => who,
    rehearsal: () => null,
    mask: (text) => text,
  };
}

function withBytes(args: unknown): unknown {
  if (typeof args !== 'object' || args === null || !('content' in args)) return args;
  // In a JSON file, such an object has no special meaning.
  if (!('format' in args) || args.format !== 'bytes') return args;
  const { content } = args;
  if (typeof content !== 'object' || content === null || !('base64' in content)) return args;
  const { base64 } = content;
  return typeof base64 === 'string' ? { ...args, content: new Uint8Array(Buffer.from(base64, 'base64')) } : args;
}
