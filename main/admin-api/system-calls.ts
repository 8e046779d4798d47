import type { StatusRecord } from '#common/model/records.ts';
import { performAct } from './acts.ts';
import { defineCall, type Services, unknown, WRITTEN } from './call.ts';
import { pipelineStates } from './pipeline-record.ts';
import { alarmRecord, kindManifest, listOf, page, statusRecord } from '#common/contract/records.ts';

export const systemCalls = [
  defineCall({
    method: 'get',
    path: '/status',
    access: 'view',
    summary: 'Read the status',
    description: 'Shows version, state of the gateway, number of running and failed pipelines, and all active alarms.',
    response: statusRecord,
    handle: status,
  }),
  defineCall({
    method: 'post',
    path: '/alarms/:alarm/acknowledge',
    access: 'run_pipelines',
    audit: ['alarm.acknowledge'],
    summary: 'Acknowledge an alarm',
    description:
      'Records that somebody has seen the alarm. Its banner disappears; the alarm is counted until its cause is gone.',
    response: alarmRecord,
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
  defineCall({
    method: 'get',
    path: '/kinds',
    access: 'view',
    summary: 'List node kinds',
    description:
      'Lists the node kinds that the gateway can run, those of plugins included, with the JSON Schema of their settings.',
    response: listOf(kindManifest),
    handle: ({ gateway }) => page(gateway.kinds),
  }),
  defineCall({
    method: 'get',
    path: '/events',
    access: 'view',
    summary: 'Stream live events',
    description:
      'Sends Server-Sent Events as they happen: `state`, `changed`, `journal`, `pipeline-warning`, `trigger-faults` and `refused`. A session gets only the events that its permissions allow.',
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
