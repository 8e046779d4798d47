import { Trans, useTranslation } from 'react-i18next';
import type { EgressEvent } from '#common/model/egress.ts';
import { exportPath, useEventAct } from '#api/egress-queries.ts';
import { usePermission } from '#api/session.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import type { NoticeProps } from '#ui/dialog-props.ts';
import { confirmTexts } from '#ui/confirm-texts.ts';
import { dayAndTime } from '#ui/format.ts';
import { Note } from '#ui/note.tsx';
import { bytesText } from '#ui/quantity.ts';
import { TextButton } from '#ui/text-button.tsx';
import { useDownload } from '#ui/use-download.ts';
import { usePipelineName } from './event-table.tsx';
import { targetName } from './target-view.ts';

interface Props extends NoticeProps {
  event: EgressEvent;
}

/** The event that is lost and its target, the alternative, a checkbox, then the action. */
export function DiscardDialog({ event, onNotice, onClose }: Props) {
  const { t } = useTranslation();
  const mayEdit = usePermission('edit_pipelines');
  const act = useEventAct();
  const download = useDownload();
  const { name } = targetName(event.origin);
  const discard = () =>
    act.mutate(
      { id: event.id, act: 'discard' },
      {
        onSuccess: () => {
          onNotice({ kind: 'done', text: t('egress.notice.discarded') });
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      {...confirmTexts(t, 'egress.discarding', name)}
      call={act}
      errorTitle={t('egress.failed.discard')}
      onConfirm={discard}
      onClose={onClose}
    >
      <p>
        <b>{t('egress.discarding.never', { name })}</b>
      </p>
      <WhatIsLost event={event} />
      {mayEdit && event.state === 'dead' && (
        <Note>
          <p>
            <Trans
              t={t}
              i18nKey="egress.discarding.gentle"
              components={{ a: <TextButton onClick={() => download(exportPath(event.target))} /> }}
            />
          </p>
        </Note>
      )}
    </ConfirmDialog>
  );
}

function WhatIsLost({ event }: { event: EgressEvent }) {
  const { t, i18n } = useTranslation();
  const pipeline = usePipelineName(event);
  const { method, bodyBytes, acceptedAt, id } = event;
  const size = bytesText(bodyBytes, i18n.language);
  const time = dayAndTime(new Date(acceptedAt), i18n.language);
  return (
    <dl className="facts">
      <dt>{t('egress.discarding.what')}</dt>
      <dd>{t('egress.discarding.value', { method, size, pipeline, time })}</dd>
      <dt>{t('egress.event.id')}</dt>
      <dd className="mono">{id}</dd>
    </dl>
  );
}
