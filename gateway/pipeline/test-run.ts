import { z } from 'zod';
import { SluiceError } from '#common/errors/catalogue.ts';
import { fieldErrors } from '#common/model/fields.ts';
import type { Message } from '#common/model/message.ts';
import type { RouteSettings } from '#common/model/route-settings.ts';
import { type ScopeMask, scopeNames } from '#common/scopes.ts';
import { expected } from '#common/errors/rules.ts';

/** The `message` of `POST …/test`: the entry to use (by default the first one), and the payload. */
const testMessage = z
  .strictObject({
    node: z.string({ error: 'expected the id of a REST API node or a trigger' }).optional(),
    payload: z
      .record(z.string(), z.unknown(), {
        error: expected('form', { what: 'an object', example: '{ "body": { "orderId": 7 } }' }),
      })
      .optional(),
  })
  .nullish();

interface Route {
  readonly node: string;
  readonly settings: RouteSettings;
}

/** Reads a test's message; `given` is the payload without defaults. Throws SluiceError `invalid` that names the field. */
export function readTestMessage(
  input: unknown,
  routes: readonly Route[],
  triggers: readonly string[],
  scopes: ScopeMask,
): { node: string; message: Message; given: Record<string, unknown> } {
  const read = testMessage.safeParse(input);
  if (!read.success) throw refuse('the test message is not valid', fieldErrors(read.error, 'message'));
  const wanted = read.data?.node;
  const payload = read.data?.payload ?? {};
  const route = wanted === undefined ? routes[0] : routes.find(({ node }) => node === wanted);
  if (route !== undefined)
    return { node: route.node, message: testRequest(route.settings, payload, scopes), given: payload };
  const trigger = wanted === undefined ? triggers[0] : triggers.find((node) => node === wanted);
  if (trigger === undefined) throw noStart(wanted);
  return { node: trigger, message: { payload, request: null, caller: null }, given: payload };
}

/** The message as a request would have created it, with defaults for omitted parts. */
function testRequest(settings: RouteSettings, payload: Record<string, unknown>, scopes: ScopeMask): Message {
  return {
    payload: { body: null, params: {}, query: {}, headers: {}, ...payload },
    request: {
      id: 'test',
      method: settings.method === '*' ? 'POST' : settings.method,
      path: settings.urlPattern,
      route: settings.urlPattern,
      ip: '127.0.0.1',
      receivedAt: new Date().toISOString(),
    },
    caller: settings.authType === 'none' ? null : { keyId: 'test', name: 'test', scopes: scopeNames(scopes) },
  };
}

function noStart(wanted: string | undefined): SluiceError {
  const message =
    wanted === undefined
      ? 'the pipeline has no node to begin a test at; expected a REST API node in ingress mode or a trigger'
      : `there is no REST API node in ingress mode and no trigger "${wanted.slice(0, 64)}"`;
  return refuse(message, [{ path: 'message.node', message }]);
}

function refuse(detail: string, errors: { path: string; message: string }[]): SluiceError {
  return new SluiceError('invalid', detail, { errors });
}
