/** The audited actions of a call, such as `key.create`. At least one. */
export type AuditedActs = readonly [string, ...string[]];

/** A call that changes nothing, or nothing that the journal records, with the reason. */
export interface NotAudited {
  readonly none: string;
}

/**
 * The method of a call with its audited actions. Without an entry, the declaration of a method that can change
 * something does not compile.
 */
export type MethodAndAudit =
  | { readonly method: 'get'; readonly audit?: AuditedActs }
  | { readonly method: 'post' | 'put' | 'patch' | 'delete'; readonly audit: AuditedActs | NotAudited };

/** The actions that a call can record; empty for a call that is not audited. */
export function actsOf({ audit }: MethodAndAudit): readonly string[] {
  return audit === undefined || 'none' in audit ? [] : audit;
}
