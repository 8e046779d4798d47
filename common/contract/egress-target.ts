import { declareCall } from './declaration.ts';
import { bufferRecord, targetRecord } from './egress-records.ts';
import { listOf } from './records.ts';

/**
 * Store-and-forward, target by target (docs/spec/egress.md#targets). The reply of a target is shown only with
 * the permission edit_pipelines. Without a gateway every call is 503 `gateway_down`.
 */
const TARGETS = '/egress/targets';
const TARGET = `${TARGETS}/:target`;

export const egressTargetContract = {
  list: declareCall({
    method: 'get',
    path: TARGETS,
    access: 'view',
    summary: 'List egress targets',
    description:
      'Lists the targets that pipelines call with store-and-forward, each with its state, the number of waiting events and the next attempt.',
    response: listOf(targetRecord),
  }),
  buffer: declareCall({
    method: 'get',
    path: '/egress/buffer',
    access: 'view',
    summary: 'Read the egress buffer',
    description: 'Shows how full the buffer of all targets is and whether new events can be stored.',
    response: bufferRecord,
  }),
  pause: declareCall({
    method: 'post',
    path: `${TARGET}/pause`,
    access: 'run_pipelines',
    audit: ['egress.pause'],
    summary: 'Pause a target',
    description: 'Stops sending to the target. New events are stored until it is resumed.',
    response: targetRecord,
  }),
  resume: declareCall({
    method: 'post',
    path: `${TARGET}/resume`,
    access: 'run_pipelines',
    audit: ['egress.resume'],
    summary: 'Resume a target',
    description: 'Sends the waiting events of a paused target, oldest first.',
    response: targetRecord,
  }),
  sendOne: declareCall({
    method: 'post',
    path: `${TARGET}/try`,
    access: 'run_pipelines',
    audit: ['egress.try'],
    summary: 'Send one event of a paused target',
    description: 'Sends the oldest waiting event once and answers the outcome. The target stays paused.',
    response: targetRecord,
  }),
  rehearse: declareCall({
    method: 'post',
    path: `${TARGET}/rehearse`,
    access: 'access_settings',
    audit: ['egress.rehearse'],
    summary: 'Rehearse an outage of a target',
    description: 'Blocks the target for 60 seconds as if it were down and counts the outcome of its events.',
    response: targetRecord,
  }),
};
