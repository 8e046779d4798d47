import { presenceContract, WINDOW_ID } from '#common/contract/presence.ts';
import { page } from '#common/contract/records.ts';
import { type Context, defineCall, type Services, unknown } from './call.ts';
import { pipelineOf } from './pipeline-record.ts';
import type { EditorWindow } from './presence.ts';

export const presenceCalls = [
  defineCall(presenceContract.stay, {
    handle(services, context) {
      const open = windowOf(services, context);
      publish(services, services.openWindows.stay(open));
      return page(services.openWindows.others(open));
    },
  }),
  defineCall(presenceContract.leave, {
    handle(services, context) {
      const open = windowOf(services, context);
      if (services.openWindows.leave(open)) publish(services, [open.place]);
      return null;
    },
  }),
];

function windowOf(services: Services, context: Pick<Context<unknown, unknown>, 'param' | 'session'>): EditorWindow {
  const { project, definition } = pipelineOf(services, context);
  const window = context.param('window');
  if (!WINDOW_ID.test(window)) throw unknown('window');
  const { id, name } = context.session.user;
  return { place: `${project}/${definition.id}`, window, user: { id, name } };
}

function publish({ hub }: Services, places: readonly string[]): void {
  for (const place of new Set(places)) {
    const [project = '', pipeline = ''] = place.split('/');
    hub.publish({ kind: 'changed', what: 'presence', project, pipeline });
  }
}
