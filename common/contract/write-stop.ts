import { z } from 'zod';
import { stoppedDevice, writeStop } from '../model/write-stop.ts';
import { declareCall } from './declaration.ts';
import { listOf } from './records.ts';

const STOPS = '/projects/:project/write-stops';

export const writeStopContract = {
  list: declareCall({
    method: 'get',
    path: STOPS,
    access: 'view',
    summary: 'List write stops',
    description: 'Lists the write stops that are in force in a project.',
    response: listOf(writeStop),
  }),
  stop: declareCall({
    method: 'post',
    path: STOPS,
    access: 'run_pipelines',
    audit: ['tag.stop-writes'],
    summary: 'Stop writes',
    description:
      'Refuses every write to the tags of the project, or of one device, until the given time or until a user ends the stop. The stop is in force before the response. A stop that is already in force is never shortened.',
    errors: ['not_saved'],
    body: z.strictObject({
      device: stoppedDevice,
      reason: writeStop.shape.reason,
      until: writeStop.shape.until.default(null),
    }),
    status: 201,
    response: writeStop,
  }),
  end: declareCall({
    method: 'post',
    path: `${STOPS}/end`,
    access: 'run_pipelines',
    audit: ['tag.allow-writes'],
    summary: 'End a write stop',
    description: 'Ends the stop of the project or of the device. Without such a stop, nothing changes.',
    body: z.strictObject({ device: stoppedDevice }),
    response: null,
  }),
};
