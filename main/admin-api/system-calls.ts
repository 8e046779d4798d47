import { page } from '#common/contract/records.ts';
import { systemContract } from '#common/contract/system.ts';
import type { StatusRecord } from '#common/model/records.ts';
import { performAct } from './acts.ts';
import { defineCall, type Services, unknown, WRITTEN } from './call.ts';
import { pipelineStates } from './pipeline-record.ts';

export const systemCalls = [
  defineCall(systemContract.status, {
    handle: status,
  }),
  defineCall(systemContract.acknowledgeAlarm, {
    async handle(services, context) {
      const code = context.param('alarm').slice(0, 64);
      if (!services.alarms().some((alarm) => alarm.code === code)) throw unknown('alarm');
      const by = context.session.user.name;
      const alarm = await performAct(services, context, { target: code }, () => services.acknowledgeAlarm(code, by));
      // It cleared by itself just now.
      if (alarm === null) throw unknown('alarm');
      services.hub.publish({ kind: 'state' });
      return alarm;
    },
  }),
  defineCall(systemContract.listKinds, {
    handle: ({ gateway }) => page(gateway.kinds),
  }),
  defineCall(systemContract.events, {
    handle({ hub }, { request, response, session, cookie }) {
      if (request.method === 'HEAD') response.end();
      else hub.open(response, session, cookie ?? '');
      return WRITTEN;
    },
  }),
];

function status(services: Services): StatusRecord {
  const { version, startedAt, gateway, alarms, machine } = services;
  const { pid, state, since, restarts, port } = gateway;
  const states = pipelineStates(services);
  const count = (wanted: string): number => states.filter((state) => state === wanted).length;
  return {
    version,
    startedAt,
    machine: machine(),
    gateway: { pid, state, since, restarts, port },
    pipelines: { running: count('running'), failed: count('failed') },
    alarms: alarms(),
    ...(services.desktop && { desktop: { kiosk: services.desktop.kiosk() } }),
  };
}
