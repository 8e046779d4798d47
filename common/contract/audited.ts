/** Acts of one call in the journal, such as `key.create`. At least one. */
export type AuditedActs = readonly [string, ...string[]];

/** A call that changes nothing, or nothing that the journal has a row for, and why. */
export interface NotAudited {
  readonly none: string;
}

/**
 * The method of a call with its acts. A method that may change something has an entry: without one the declaration does
 * not compile.
 */
export type MethodAndAudit =
  | { readonly method: 'get'; readonly audit?: AuditedActs }
  | { readonly method: 'post' | 'put' | 'patch' | 'delete'; readonly audit: AuditedActs | NotAudited };

/** The acts that a call may write; none for one that is not audited. */
export function actsOf({ audit }: MethodAndAudit): readonly string[] {
  return audit === undefined || 'none' in audit ? [] : audit;
}
