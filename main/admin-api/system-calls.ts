import type { StatusRecord } from '#common/model/records.ts';
import { performAct } from './acts.ts';
import { defineCall, type Services, unknown, WRITTEN } from './call.ts';
import { pipelineStates } from './pipeline-record.ts';
import { alarmRecord, kindManifest, listOf, page, statusRecord } from './schemas.ts';

export const systemCalls = [
  defineCall({
    method: 'get',
    path: '/status',
    access: 'view',
    summary: 'Version, gateway, how many pipelines run or failed, alarms that stand',
    response: statusRecord,
    handle: status,
  }),
  defineCall({
    method: 'post',
    path: '/alarms/:alarm/acknowledge',
    access: 'run_pipelines',
    summary: 'Say that an alarm was seen: its banner goes, it is counted until it clears',
    response: alarmRecord,
    async handle(services, context) {
      const code = context.param('alarm').slice(0, 64);
      if (!services.alarms().some((alarm) => alarm.code === code)) throw unknown('alarm');
      const by = context.session.user.name;
      const alarm = await performAct(services, context, { act: 'alarm.acknowledge', target: code }, () =>
        services.acknowledgeAlarm(code, by),
      );
      // It cleared by itself just now.
      if (alarm === null) throw unknown('alarm');
      services.hub.publish({ kind: 'state' });
      return alarm;
    },
  }),
  defineCall({
    method: 'get',
    path: '/kinds',
    access: 'view',
    summary: 'List the node kinds that the gateway can run, with the JSON Schema of their settings',
    response: listOf(kindManifest),
    handle: ({ gateway }) => page(gateway.kinds),
  }),
  defineCall({
    method: 'get',
    path: '/events',
    access: 'view',
    summary:
      'Live events (Server-Sent Events), those that one may read: state, changed, journal, pipeline-warning, trigger-faults, refused',
    response: null,
    contentType: 'text/event-stream',
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
