import type { Access } from '#common/contract/declaration.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import type { Context, Services } from './call.ts';
import { permissionGuard } from './guards.ts';

/**
 * A long response ends with the session of its user, or with the permission that it needs
 * (docs/spec/users.md#sessions): a user who was locked out must not continue to read.
 */
export function admitAgain(
  { people }: Pick<Services, 'people'>,
  { credential }: Pick<Context<unknown, unknown>, 'credential'>,
  access: Access,
): void {
  const session = credential === null ? null : people.session(credential);
  if (session === null) throw new SluiceError('no_session', 'The session that began it has ended.');
  permissionGuard(access, session);
}

/** The same chunks, with a check before each of them. `chunks` is begun first, so that it is closed in any case. */
export async function* whileAdmitted(
  services: Pick<Services, 'people'>,
  context: Pick<Context<unknown, unknown>, 'credential'>,
  access: Access,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    admitAgain(services, context, access);
    yield chunk;
  }
}
