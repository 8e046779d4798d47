import { useTranslation } from 'react-i18next';
import type { EgressTarget } from '#common/model/egress.ts';
import { usePipelines } from '#api/queries.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { confirmTexts } from '#ui/confirm-texts.ts';
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
  const { name } = targetName(target.target);
  return (
    <ConfirmDialog
      {...confirmTexts(t, 'egress.rehearsing', name)}
      danger={false}
      call={{ isPending: pending, error: null }}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{t('egress.rehearsing.what', { name })}</p>
      <Note title={t('egress.rehearsing.who')}>
        <WhoNotices target={target} />
      </Note>
      <p className="t2">{t('egress.rehearsing.safe')}</p>
    </ConfirmDialog>
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
