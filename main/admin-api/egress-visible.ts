import type { EgressAnswer } from '#common/model/egress.ts';
import type { Session } from '../contracts.ts';

/**
 * What a target answered may hold what it gives to the pipeline alone, such as a token: like a payload it is for those
 * with edit_pipelines. The others see its status; why none came are our own words, which they see too.
 */
export function visibleAnswer<T extends { lastAnswer: EgressAnswer | null }>(record: T, { permissions }: Session): T {
  const { lastAnswer } = record;
  if (lastAnswer === null || lastAnswer.status === null || permissions.has('edit_pipelines')) return record;
  return { ...record, lastAnswer: { ...lastAnswer, text: '' } };
}
