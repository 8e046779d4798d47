import { page } from '#common/contract/records.ts';
import { systemContract } from '#common/contract/system.ts';
import type { StatusRecord } from '#common/model/records.ts';
import { defineCall, type Services, WRITTEN } from './call.ts';
import { pipelineStates } from './pipeline-record.ts';

export const systemCalls = [
  defineCall(systemContract.status, {
    handle: status,
  }),
  defineCall(systemContract.listKinds, {
    handle: ({ gateway }) => page(gateway.kinds),
  }),
  defineCall(systemContract.events, {
    handle({ hub }, { request, response, session, credential }) {
      if (request.method === 'HEAD') response.end();
      else hub.open(response, session, credential ?? '');
      return WRITTEN;
    },
  }),
];

function status(services: Services): StatusRecord {
  const { version, startedAt, gateway, alarms, machine } = services;
  const { pid, state, since, restarts, port, silentMs } = gateway;
  const states = pipelineStates(services);
  const count = (wanted: string): number => states.filter((state) => state === wanted).length;
  return {
    version,
    startedAt,
    machine: machine(),
    gateway: { pid, state, since, restarts, port, silentMs },
    pipelines: { running: count('running'), failed: count('failed') },
    alarms: alarms(),
    ...(services.desktop && { desktop: { kiosk: services.desktop.kiosk() } }),
    ...(services.fleet && { fleet: services.fleet.role }),
  };
}
