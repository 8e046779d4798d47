import { z } from 'zod';
import { SluiceError } from '#common/errors/catalogue.ts';
import { makePair } from '#common/node/fleet/raw-keys.ts';
import type { NatsKeys } from './config.ts';
import { issuerOf, makeJwt, nkeyOf, userClaims } from './jwt.ts';
import { connectOnce, type NatsOptions } from './nats-transport.ts';

const VARZ = '$SYS.REQ.SERVER.PING.VARZ';
const varz = z.object({
  data: z.object({
    version: z.string(),
    jetstream: z.object({ config: z.object({ sync_always: z.boolean().default(false) }).optional() }).optional(),
  }),
});

/**
 * The version of the running server. Throws SluiceError `conflict` unless it flushes each stored record: by default,
 * NATS acknowledges what it may lose in the next two minutes.
 */
export async function verifyServer(options: Omit<NatsOptions, 'user'>, { system }: NatsKeys): Promise<string> {
  const pair = makePair('Ed25519');
  const subjects = { pub: [VARZ], sub: ['_INBOX.sys.>'] };
  const claims = userClaims('sys', nkeyOf('user', pair), subjects);
  const jwt = makeJwt(issuerOf('account', system), claims, Date.now());
  const connection = await connectOnce({ ...options, user: { name: 'sys', jwt, pair } });
  try {
    const answer = await connection.request(VARZ, new Uint8Array(), 2_000);
    const { data } = varz.parse(JSON.parse(Buffer.from(answer).toString('utf8')));
    expectFlushes(data.jetstream?.config?.sync_always === true);
    return data.version;
  } finally {
    await connection.close();
  }
}

export function expectFlushes(always: boolean): void {
  if (!always)
    throw new SluiceError(
      'conflict',
      'nats-server does not flush each record to disk; expected "sync_interval: always" in its configuration.',
    );
}
