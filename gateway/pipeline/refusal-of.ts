/**
 * Codes of nodes for a value of the message that does not fit the node, such as a list where a query binds a number.
 * Nodes whose `error` port is wired answer as their author decides.
 */
const OF_VALUES = new Set(['param_missing', 'param_invalid', 'tag_path_invalid']);

/** The refusal that a caller receives if a node failed with this code and nothing handled its error. */
export function refusalOf(code: string | undefined): 'scope_missing' | 'value_invalid' | 'pipeline_failed' {
  if (code === 'scope_missing') return 'scope_missing';
  return code !== undefined && OF_VALUES.has(code) ? 'value_invalid' : 'pipeline_failed';
}
