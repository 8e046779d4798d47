import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EgressTarget } from '#common/model/egress.ts';
import { usePipelines } from '#api/queries.ts';
import { Dialog } from '#ui/dialog.tsx';
import { Note } from '#ui/note.tsx';
import { numberText } from '#ui/quantity.ts';
import { callersOf, targetName } from './target-view.ts';

interface Props {
  target: EgressTarget;
  pending: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** The effects of the rehearsal and who notices, a checkbox, then the action. */
export function RehearseDialog({ target, pending, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  const [ticked, setTicked] = useState(false);
  const { name } = targetName(target.target);
  return (
    <Dialog
      title={t('egress.rehearsing.title', { name })}
      onDismiss={onClose}
      foot={
        <>
          <span className="grow" />
          <Button data-autofocus onClick={onClose}>
            {t('egress.rehearsing.leave')}
          </Button>
          <Button variant="filled" disabled={!ticked} loading={pending} onClick={onConfirm}>
            {t('egress.rehearsing.submit')}
          </Button>
        </>
      }
    >
      <p>{t('egress.rehearsing.what', { name })}</p>
      <Note title={t('egress.rehearsing.who')}>
        <WhoNotices target={target} />
      </Note>
      <p className="t2">{t('egress.rehearsing.safe')}</p>
      <Checkbox
        checked={ticked}
        onChange={({ currentTarget }) => setTicked(currentTarget.checked)}
        label={t('egress.rehearsing.tick', { name })}
      />
    </Dialog>
  );
}

function WhoNotices({ target }: { target: EgressTarget }) {
  const { t, i18n } = useTranslation();
  const { name } = targetName(target.target);
  const callers = callersOf(target.target, usePipelines().data ?? []);
  const names = callers.map((pipeline) => pipeline.name).join(', ');
  const count = numberText(target.acceptedPerMinute, i18n.language);
  return (
    <ul>
      <li>
        {target.acceptedPerMinute > 0
          ? t('egress.rehearsing.target', { name, count })
          : t('egress.rehearsing.targetIdle', { name })}
      </li>
      <li>
        {callers.length > 0 ? t('egress.rehearsing.pipelines', { names, name }) : t('egress.rehearsing.noPipelines')}
      </li>
    </ul>
  );
}
