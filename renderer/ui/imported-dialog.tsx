import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { Imported, ToFillIn } from '#api/project-file-queries.ts';
import { Dialog } from './dialog.tsx';
import { DialogFoot } from './dialog-foot.tsx';

const LISTED_MAX = 12;

interface Props {
  /** Default: that it was imported. */
  title?: string;
  imported: Imported;
  onClose: () => void;
}

/** The imported parts, and the secrets that must be entered before a start. */
export function ImportedDialog({ title, imported, onClose }: Props) {
  const { t } = useTranslation();
  const { toFillIn } = imported;
  const { name } = 'project' in imported ? imported.project : imported.pipeline;
  const href = 'project' in imported ? '/pipelines' : `/pipelines/${imported.pipeline.project}/${imported.pipeline.id}`;
  const listed = toFillIn.slice(0, LISTED_MAX);
  return (
    <Dialog
      title={title ?? t('projectFiles.import.doneTitle', { name })}
      onDismiss={onClose}
      foot={
        <DialogFoot keep={t('common.close')} onKeep={onClose}>
          {' '}
          <Button variant="filled" component={Link} href={href} onClick={onClose}>
            {t('projectFiles.open')}
          </Button>
        </DialogFoot>
      }
    >
      <p>{t('projectFiles.import.doneText')}</p>
      {listed.length > 0 && (
        <div className="stack tight">
          <p className="strong">{t('projectFiles.import.doneFill')}</p>
          <ul>
            {listed.map((place) => (
              <li key={JSON.stringify(place)}>
                <PlaceText place={place} />
              </li>
            ))}
            {toFillIn.length > listed.length && (
              <li className="t2">{t('projectFiles.import.more', { count: toFillIn.length - listed.length })}</li>
            )}
          </ul>
        </div>
      )}
    </Dialog>
  );
}

function PlaceText({ place }: { place: ToFillIn }) {
  const { t } = useTranslation();
  return 'connection' in place
    ? t('projectFiles.import.doneConnection', place)
    : t('projectFiles.import.doneNode', place);
}
