import { z } from 'zod';
import { expected } from '../errors/rules.ts';
import { TRAFFIC_RANGES } from '../model/traffic.ts';
import { declareCall } from './declaration.ts';
import { backlogRecord, bufferRecord, targetRecord } from './egress-records.ts';
import { listOf } from './records.ts';

/**
 * Store and forward by target (docs/spec/egress.md#targets). The reply of a target is shown only with the permission
 * edit_pipelines. Without a gateway every call except the backlog fails with 503 `gateway_down`.
 */
const TARGETS = '/egress/targets';
const TARGET = `${TARGETS}/:target`;

/** Scheme, host and port: no name of a host is longer than 253 characters. */
const TARGET_CHARS_MAX = 300;
const TARGET_FORM = expected('form', { what: 'scheme, host and port', example: 'https://mes.example:443' });
const backlogQuery = z.strictObject({
  target: z.string({ error: TARGET_FORM }).min(1, TARGET_FORM).max(TARGET_CHARS_MAX, TARGET_FORM),
  range: z.enum(TRAFFIC_RANGES, { error: expected('one_of', { values: TRAFFIC_RANGES }) }).default('15m'),
});

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
  backlog: declareCall({
    method: 'get',
    path: '/egress/backlog',
    access: 'view',
    summary: 'Read the backlog of a target over time',
    description:
      'Shows how many events waited for the target, and how full the buffer was, in steps of 10 s, 5 min or 1 h. Sluice keeps this across restarts; a step in which the gateway did not answer is null.',
    query: backlogQuery,
    response: backlogRecord,
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
