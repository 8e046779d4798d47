import type { EgressAnswer } from '#common/model/egress.ts';
import type { Session } from '../contracts.ts';

/**
 * The response of a target may contain secrets for the pipeline, such as a token: like a payload, it is only for users
 * with edit_pipelines. Others see its status. The reason why there is no response is a text of Sluice, which they see
 * too.
 */
export function visibleAnswer<T extends WithAnswers>(record: T, { permissions }: Session): T {
  if (permissions.has('edit_pipelines')) return record;
  const { lastAnswer, tries } = record;
  return {
    ...record,
    lastAnswer: lastAnswer && withoutText(lastAnswer),
    ...(tries && { tries: tries.map(withoutText) }),
  };
}

interface WithAnswers {
  lastAnswer: EgressAnswer | null;
  tries?: EgressAnswer[];
}

function withoutText(answer: EgressAnswer): EgressAnswer {
  return answer.status === null ? answer : { ...answer, text: '' };
}
