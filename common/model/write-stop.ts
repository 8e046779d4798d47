import { z } from 'zod';
import { expected } from '../errors/rules.ts';
import { projectId } from './ids.ts';

/** A write stop for a project or one of its devices (docs/spec/nodes.md#write-stop). */
export const STOP_REASON_CHARS_MAX = 200;
const REASON_EXPECTED = expected('length', { from: 1, to: STOP_REASON_CHARS_MAX });

/** Null: all tags of the project; otherwise the connection of the device. */
export const stoppedDevice = projectId.nullable().default(null).meta({
  description: 'The connection of a device; null: every tag of the project.',
});

export const writeStop = z.strictObject({
  project: projectId,
  device: projectId.nullable(),
  reason: z
    .string({ error: REASON_EXPECTED })
    .trim()
    .min(1, REASON_EXPECTED)
    .max(STOP_REASON_CHARS_MAX, REASON_EXPECTED)
    .refine((text) => !/\p{C}/u.test(text), expected('name_unseen')),
  /** RFC 3339. Null: until a user ends it. */
  until: z.iso
    .datetime({ offset: true, error: expected('form', { what: 'a time', example: '2026-03-01T06:00:00Z' }) })
    .nullable(),
  at: z.iso.datetime({ offset: true }),
  by: z.string(),
});
export type WriteStop = z.infer<typeof writeStop>;

export function isOver({ until }: Pick<WriteStop, 'until'>, nowMs: number): boolean {
  return until !== null && Date.parse(until) <= nowMs;
}

/** Of two stops of the same device, the later end counts: a new stop never shortens one that is in force. */
export function longer(stop: WriteStop, other: WriteStop | undefined): WriteStop {
  if (other === undefined || stop.until === null) return stop;
  if (other.until === null) return { ...stop, until: null };
  return Date.parse(other.until) > Date.parse(stop.until) ? { ...stop, until: other.until } : stop;
}
