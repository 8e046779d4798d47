import { z } from 'zod';
import { SluiceError } from '#common/errors/catalogue.ts';
import { fieldErrors } from '#common/model/fields.ts';
import type { Message } from '#common/model/message.ts';
import type { RouteSettings } from '#common/model/route-settings.ts';
import { type ScopeMask, scopeNames } from '#common/scopes.ts';

/** What `POST …/test` takes as `message`: the entry to use (the first one unless told), and the payload. */
const testMessage = z
  .strictObject({
    node: z.string({ error: 'expected the id of a REST API node' }).optional(),
    payload: z
      .record(z.string(), z.unknown(), { error: 'expected an object such as { "body": { "orderId": 7 } }' })
      .optional(),
  })
  .nullish();

interface Route {
  readonly node: string;
  readonly settings: RouteSettings;
}

/** Reads a test's message; throws SluiceError `invalid` that names the field. */
export function readTestMessage(
  input: unknown,
  routes: readonly Route[],
  rights: ScopeMask,
): { node: string; message: Message } {
  const read = testMessage.safeParse(input);
  if (!read.success) throw refuse('the test message is not valid', fieldErrors(read.error, 'message'));
  const wanted = read.data?.node;
  const route = wanted === undefined ? routes[0] : routes.find(({ node }) => node === wanted);
  if (route === undefined) throw noRoute(wanted);
  return { node: route.node, message: testRequest(route.settings, read.data?.payload ?? {}, rights) };
}

/** The message as a request would have made it, with what the test left out put in. */
function testRequest(settings: RouteSettings, payload: Record<string, unknown>, rights: ScopeMask): Message {
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
    caller: settings.authType === 'none' ? null : { keyId: 'test', name: 'test', scopes: scopeNames(rights) },
  };
}

function noRoute(wanted: string | undefined): SluiceError {
  const message =
    wanted === undefined
      ? 'the pipeline has no REST API node in ingress mode to test'
      : `there is no REST API node "${wanted.slice(0, 64)}" in ingress mode`;
  return refuse(message, [{ path: 'message.node', message }]);
}

function refuse(detail: string, errors: { path: string; message: string }[]): SluiceError {
  return new SluiceError('invalid', detail, { errors });
}
