import { useTranslation } from 'react-i18next';
import type { EgressTarget } from '#common/model/egress.ts';
import { useRetryDead, useTargetAct, type TargetAct } from '#api/egress-queries.ts';
import { numberText } from '#ui/quantity.ts';
import { statusText } from './http-status.ts';
import type { Notice } from '#ui/notice-line.tsx';
import { targetName } from './target-view.ts';

/** The acts on one target, each with a sentence about its result. */
export function useTargetActs(target: EgressTarget, onNotice: (notice: Notice) => void) {
  const { t, i18n } = useTranslation();
  const act = useTargetAct();
  const retry = useRetryDead();
  const { name } = targetName(target.target);
  const triedText = useTriedText(target);
  const begin = (which: TargetAct, after?: () => void) =>
    act.mutate(
      { id: target.id, act: which },
      {
        onSuccess: (then) =>
          onNotice({ kind: 'done', text: which === 'try' ? triedText(then) : t(`egress.notice.${which}`, { name }) }),
        onError: (error) => onNotice({ kind: 'failed', text: t(`egress.failed.${which}`, { name }), error }),
        onSettled: () => after?.(),
      },
    );
  const retryDead = () =>
    retry.mutate(target.id, {
      onSuccess: ({ retried, left }) => {
        const events = numberText(retried, i18n.language);
        const rest = left > 0 ? ` ${t('egress.notice.retriedLeft', { left: numberText(left, i18n.language) })}` : '';
        onNotice({ kind: 'done', text: t('egress.notice.retried', { count: retried, events, name }) + rest });
      },
      onError: (error) => onNotice({ kind: 'failed', text: t('egress.failed.retryDead'), error }),
    });
  return { begin, retryDead, pending: act.isPending ? act.variables.act : null };
}

/** The result of the one event that was tried. */
function useTriedText(before: EgressTarget): (then: EgressTarget) => string {
  const { t } = useTranslation();
  const { name } = targetName(before.target);
  return ({ lastAnswer }) => {
    if (lastAnswer === null || lastAnswer.at === before.lastAnswer?.at) return t('egress.notice.tryNone', { name });
    const { status, text } = lastAnswer;
    if (status === null) return t('egress.notice.tryNoAnswer', { name, answer: text });
    if (status >= 200 && status < 300) return t('egress.notice.tryDelivered', { name });
    return t('egress.notice.tryRefused', { name, answer: statusText(status) });
  };
}
