import type { EgressAnswer } from '#common/model/egress.ts';
import type { Session } from '../contracts.ts';

/**
 * The response of a target may contain secrets for the pipeline, such as a token: like a payload, it is only for users
 * with edit_pipelines. Others see its status. The reason why there is no response is a text of Sluice, which they see
 * too.
 */
export function visibleAnswer<T extends { lastAnswer: EgressAnswer | null }>(record: T, { permissions }: Session): T {
  const { lastAnswer } = record;
  if (lastAnswer === null || lastAnswer.status === null || permissions.has('edit_pipelines')) return record;
  return { ...record, lastAnswer: { ...lastAnswer, text: '' } };
}
