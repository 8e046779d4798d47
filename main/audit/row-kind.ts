import type { AuditRow } from '#common/model/audit.ts';
import { outcomeOf, type CallOutcome } from '#common/model/call-outcome.ts';

/** The values that many rows have in common. */
export interface RowKind {
  type: AuditRow['type'];
  outcome: CallOutcome | null;
  key: string | null;
  name: string | null;
  address: string | null;
  project: string | null;
  route: string | null;
  code: string | null;
  status: number | null;
  /** All searchable text, in lower case, one value per line. */
  text: string;
}

export function kindOf(row: AuditRow): RowKind {
  const { type, keyId, keyName, ip, project, route, code, status } = row;
  return {
    type,
    outcome: outcomeOf(row),
    key: keyId ?? null,
    name: keyName ?? null,
    address: ip ?? null,
    project: project ?? null,
    route: route ?? null,
    code: code ?? null,
    status: status ?? null,
    text: searchedText(row),
  };
}

/** The start of each key, by which operators recognize it. */
const KEY_START = 'slc_';

function searchedText(row: AuditRow): string {
  const {
    keyId,
    keyName,
    user,
    ip,
    project,
    pipeline,
    method,
    route,
    code,
    why,
    status,
    act,
    target,
    kind,
    thing,
    device,
    node,
    result,
  } = row;
  const key = keyId === undefined ? undefined : `${KEY_START}${keyId}`;
  const call = route === undefined ? method : `${method} ${route}`;
  const parts = [keyName, key, user, ip, project, pipeline, call, code, why?.cause, status, act, target];
  if (thing !== undefined) parts.push(kind, thing, device, node, result);
  return parts
    .filter((part) => part !== undefined)
    .join('\n')
    .toLowerCase();
}

/** The path, if a search could not find it in the text of the kind. */
export function ownPath({ path, route }: AuditRow): string | null {
  return path === undefined || path === route ? null : path.toLowerCase();
}

/** The thing that a write wrote, as the filter `thing` names it; null: the row is not one of a write. */
export function writtenThing({ kind, thing }: Pick<AuditRow, 'kind' | 'thing'>): string | null {
  return kind === undefined || thing === undefined ? null : `${kind}:${thing}`;
}
