import type { z } from 'zod';
import type { sessionRecord } from '#common/contract/records.ts';
import type { logIn } from '#common/contract/session.ts';
import { sessionContract } from '#common/contract/session.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import { PERMISSIONS } from '#common/model/records.ts';
import type { Session } from '../contracts.ts';
import { type NamedActRow, markRecorded, performAct, record } from './acts.ts';
import { type Context, defineCall, type Services } from './call.ts';
import { peerUid } from './peer-uid.ts';
import { clearCookie, setCookie } from './session-cookie.ts';

const NOBODY_LOGGED_IN = 'Nobody was logged in. Free space on the disk of the data folder, then try again.';

export const sessionCalls = [
  defineCall(sessionContract.logIn, {
    async handle(services, context) {
      if (services.people.setupNeeded)
        throw new SluiceError(
          'setup_needed',
          'Sluice is not set up yet; the set-up token is in the file setup-token of its data folder.',
        );
      const { session, cookie } = await logInRecorded(services, context);
      // The previous session of this browser is no longer needed.
      const before = context.credential === null ? null : services.people.session(context.credential);
      if (context.credential !== null) endSession(services, context.credential);
      if (before !== null) {
        const { id, name } = before.user;
        const row = { ...context.who, act: 'session.end', user: name, target: id, detail: 'replaced by a log-in' };
        await recordSessionEnd(services, row);
      }
      setCookie(context.response, services.uiPort(), cookie, session.expiresAt);
      return sessionAnswer(session);
    },
  }),
  defineCall(sessionContract.read, {
    handle: (_services, { session }) => sessionAnswer(session),
  }),
  defineCall(sessionContract.logOut, {
    async handle(services, context) {
      const { credential, response, session, who } = context;
      if (credential !== null) endSession(services, credential);
      clearCookie(response, services.uiPort());
      await recordSessionEnd(services, { ...who, act: 'session.logout', target: session.user.id });
      return null;
    },
  }),
  defineCall(sessionContract.changePassword, {
    async handle(services, context) {
      const { session, body, response } = context;
      const act = { act: 'session.password', target: session.user.id, detail: session.user.name };
      const opened = await performAct(services, context, act, () =>
        services.people.changeOwnPassword(session, body.old, body.new),
      );
      setCookie(response, services.uiPort(), opened.cookie, opened.session.expiresAt);
      return sessionAnswer(opened.session);
    },
  }),
];

/** A cookie is sent only for a log-in whose row is written; a failed one is recorded before its response. */
async function logInRecorded(
  services: Services,
  context: Context<unknown, z.infer<typeof logIn>>,
): Promise<{ session: Session; cookie: string }> {
  const { audit, people } = services;
  const { name, password } = context.body;
  const uid = await peerUid(context.request.socket);
  const opened = await people.logIn(name, password, context.ip, uid).catch(async (error: unknown) => {
    // An attempt that is slowed down is not checked; it is counted with the other refused calls.
    if (error instanceof SluiceError && error.code === 'login_failed') {
      const row = {
        ...context.who,
        act: 'session.login-failed',
        target: name.slice(0, 64),
        code: error.code,
        status: error.status,
      };
      await record(audit, row, NOBODY_LOGGED_IN);
      markRecorded(error);
    }
    throw error;
  });
  try {
    const { user } = opened.session;
    const row = { ...context.who, act: 'session.login', user: user.name, target: user.id, status: 200 };
    // Without log-ins nobody could free space.
    await record(audit, row, NOBODY_LOGGED_IN, { mayUseSpare: true });
  } catch (error) {
    people.logOut(opened.cookie);
    throw error;
  }
  return opened;
}

/** The session has ended, and stays ended if the journal cannot be written. */
export async function recordSessionEnd(
  { audit, log }: Pick<Services, 'audit' | 'log'>,
  row: NamedActRow,
): Promise<void> {
  await record(audit, { ...row, status: 200 }, '').catch((error: unknown) =>
    log.warn('the end of a session is not in the journal', { act: row.act, user: row.user, error }),
  );
}

function endSession({ people, hub }: Services, cookie: string): void {
  people.logOut(cookie);
  hub.closeSession(cookie);
}

function sessionAnswer({ user, permissions, csrfToken, expiresAt }: Session): z.infer<typeof sessionRecord> {
  return { user, permissions: PERMISSIONS.filter((permission) => permissions.has(permission)), csrfToken, expiresAt };
}
