import type { RehearsedWrite } from '#common/model/records.ts';
import type { Rehearsal } from '#sdk';
import { shown } from '../write-log.ts';
import type { PlannedWrite } from './planned-write.ts';

/** Writes of one run that are kept for its record; further ones are only counted. */
export const REHEARSED_KEPT_MAX = 100;

/** The writes that one run did not perform (docs/spec/capabilities.md#rehearsal). */
export class RunRehearsal implements Rehearsal {
  readonly writes: RehearsedWrite[] = [];
  count = 0;

  note(write: RehearsedWrite): void {
    this.count += 1;
    if (this.writes.length < REHEARSED_KEPT_MAX) this.writes.push(write);
  }
}

/** Notes writes as the journal shows them. `mask` masks the secrets of the run. */
export function noteWrites(
  rehearsal: Rehearsal,
  planned: readonly PlannedWrite[],
  { node, mask }: { readonly node: string; mask(text: string): string },
): void {
  for (const { kind, thing, to } of planned)
    rehearsal.note({ node, kind, thing, ...(to !== undefined && { to: shown(to, { mask }) }) });
}
