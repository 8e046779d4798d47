import { Button, Checkbox } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { handledIn, MANY_ACT_MAX, useManyAct, type EventFilter, type ManyProgress } from '#api/egress-queries.ts';
import { Dialog } from '#ui/dialog.tsx';
import { DialogFoot } from '#ui/dialog-foot.tsx';
import { ErrorNote } from '#ui/error-note.tsx';
import { Note } from '#ui/note.tsx';
import { ProgressLine } from '#ui/progress-line.tsx';
import { numberText } from '#ui/quantity.ts';

interface Props {
  act: 'retry' | 'discard';
  filter: EventFilter;
  /** The name of the target; empty: every target. */
  name: string;
  /** Events of the filter. */
  total: number;
  onClose: () => void;
}

/** One act on all events of a filter: their number first, then the progress, then the ones that were refused. */
export function ManyDialog({ act, filter, name, total: listed, onClose }: Props) {
  const { t, i18n } = useTranslation();
  // The list becomes shorter while the act is in progress.
  const [total] = useState(listed);
  const [ticked, setTicked] = useState(act === 'retry');
  const [progress, setProgress] = useState<ManyProgress | null>(null);
  const stopped = useRef(false);
  const many = useManyAct(setProgress, () => stopped.current);
  const count = Math.min(total, MANY_ACT_MAX);
  const number = (value: number) => numberText(value, i18n.language);
  const events = number(count);
  const stop = () => {
    stopped.current = true;
  };
  return (
    <Dialog
      title={t(`egressMany.${act}.title`, { count, events })}
      {...(!many.isPending && { onDismiss: onClose })}
      foot={
        many.isPending ? (
          <DialogFoot keep={t('egressMany.stop')} onKeep={stop} />
        ) : many.isIdle ? (
          <DialogFoot keep={t('common.cancel')} onKeep={onClose}>
            {' '}
            <Button
              variant={act === 'discard' ? 'danger' : 'filled'}
              disabled={!ticked}
              onClick={() => many.mutate({ act, filter, count })}
            >
              {t(`egressMany.${act}.submit`)}
            </Button>
          </DialogFoot>
        ) : (
          <DialogFoot keep={t('common.close')} onKeep={onClose} />
        )
      }
    >
      <p>
        <b>{t(name === '' ? `egressMany.${act}.effectAll` : `egressMany.${act}.effect`, { name })}</b>
      </p>
      {count < total && <p className="t2">{t('egressMany.limited', { events, total: number(total) })}</p>}
      {many.isIdle && act === 'discard' && (
        <Checkbox
          checked={ticked}
          onChange={(event) => setTicked(event.currentTarget.checked)}
          label={t('egressMany.tick')}
        />
      )}
      {many.isPending && <Progress progress={progress} count={count} />}
      {many.error && <ErrorNote error={many.error} title={t(`egressMany.${act}.failed`)} />}
      <output>{many.isSuccess && progress && <Outcome act={act} progress={progress} count={count} />}</output>
    </Dialog>
  );
}

function Progress({ progress, count }: { progress: ManyProgress | null; count: number }) {
  const { t, i18n } = useTranslation();
  const done = progress === null ? 0 : handledIn(progress);
  const number = (value: number) => numberText(value, i18n.language);
  const text = t('egressMany.progress', { done: number(done), of: number(count), left: number(count - done) });
  return <ProgressLine label={text} done={done} of={count} text={text} />;
}

/** Reasons that are listed; a target refuses its events for few of them. */
const REASONS_MAX = 5;

function Outcome({ act, progress, count: of }: { act: Props['act']; progress: ManyProgress; count: number }) {
  const { t, i18n } = useTranslation();
  const { done, gone, refused } = progress;
  const counted = (count: number) => ({ count, events: numberText(count, i18n.language) });
  const reasons = [...Map.groupBy(refused, ({ reason }) => reason)];
  return (
    <>
      <p>{t(`egressMany.${act}.done`, counted(done))}</p>
      {gone > 0 && <p className="t2">{t('egressMany.gone', counted(gone))}</p>}
      {handledIn(progress) < of && gone === 0 && <p className="t2">{t('egressMany.stopped')}</p>}
      {refused.length > 0 && (
        <Note kind="warning" title={t('egressMany.refused', counted(refused.length))}>
          <ul>
            {reasons.slice(0, REASONS_MAX).map(([reason, events]) => (
              <li key={reason}>
                {numberText(events.length, i18n.language)} × {reason}
              </li>
            ))}
          </ul>
        </Note>
      )}
    </>
  );
}
