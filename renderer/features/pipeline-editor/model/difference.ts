import { sameValue } from '#ui/form/same-value.ts';
import { nodeOf, wireId, type Draft, type DraftNode, type DraftWire } from './draft.ts';

/**
 * The differences between a draft and the running revision (or between two revisions). Positions of nodes are ignored.
 */
export interface Difference {
  added: DraftNode[];
  deleted: DraftNode[];
  edited: { node: DraftNode; before: DraftNode; changes: FieldChange[] }[];
  wired: DraftWire[];
  unwired: DraftWire[];
  /** `name`, `runAs`, `grants`, `limits`, `rehearsal`. */
  pipeline: FieldChange[];
}
export interface FieldChange {
  /** `name`, `kind`, `off`, or a setting by its name. */
  field: string;
  before: unknown;
  after: unknown;
}

export function differenceOf(before: Draft, after: Draft): Difference {
  const kept = after.nodes.flatMap((node) => {
    const old = nodeOf(before, node.id);
    return old === undefined ? [] : [{ node, before: old, changes: nodeChanges(old, node) }];
  });
  const wiresBefore = new Set(before.wires.map(wireId));
  const wiresAfter = new Set(after.wires.map(wireId));
  return {
    added: after.nodes.filter((node) => nodeOf(before, node.id) === undefined),
    deleted: before.nodes.filter((node) => nodeOf(after, node.id) === undefined),
    edited: kept.filter(({ changes }) => changes.length > 0),
    wired: after.wires.filter((wire) => !wiresBefore.has(wireId(wire))),
    unwired: before.wires.filter((wire) => !wiresAfter.has(wireId(wire))),
    pipeline: changesOf(pipelineFields(before), pipelineFields(after)),
  };
}

export function countOf({ added, deleted, edited, wired, unwired, pipeline }: Difference): number {
  return added.length + deleted.length + edited.length + wired.length + unwired.length + pipeline.length;
}

const pipelineFields = ({ name, runAs, grants, limits, rehearsal }: Draft) => ({
  name,
  runAs,
  grants,
  limits: limits ?? {},
  rehearsal: rehearsal === true,
});

function nodeChanges(before: DraftNode, after: DraftNode): FieldChange[] {
  return [
    ...changesOf(
      { name: before.name, kind: before.kind, off: before.off === true },
      { name: after.name, kind: after.kind, off: after.off === true },
    ),
    ...changesOf(before.settings, after.settings),
  ];
}

function changesOf(before: Record<string, unknown>, after: Record<string, unknown>): FieldChange[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...fields]
    .filter((field) => !sameValue(before[field], after[field]))
    .map((field) => ({ field, before: before[field], after: after[field] }));
}
