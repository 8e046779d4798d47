import { Trans, useTranslation } from 'react-i18next';
import type { UserRecord } from '#common/model/records.ts';
import { useChangePerson } from '#api/people-queries.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import type { DoneProps } from '#ui/dialog-props.ts';
import { confirmTexts } from '#ui/confirm-texts.ts';
import { Note } from '#ui/note.tsx';
import { useNow } from '#ui/now.ts';
import { TextButton } from '#ui/text-button.tsx';
import { ageText } from '#ui/time.tsx';

interface Props extends DoneProps {
  person: UserRecord;
  onRoles: () => void;
}

export function DeactivateDialog({ person, onRoles, onDone, onClose }: Props) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const change = useChangePerson();
  const { id, name, lastLoginAt } = person;
  const seen =
    lastLoginAt === null
      ? t('people.deactivating.never', { name })
      : t('people.deactivating.seen', { name, time: ageText(t, i18n.language, lastLoginAt, now) });
  return (
    <ConfirmDialog
      {...confirmTexts(t, 'people.deactivating', name)}
      call={change}
      onConfirm={() =>
        change.mutate(
          { id, patch: { active: false } },
          { onSuccess: () => onDone(t('people.done.deactivated', { name })) },
        )
      }
      onClose={onClose}
    >
      <p>
        <b>{seen}</b> {t('people.deactivating.effect', { name })}
      </p>
      <p>{t('people.deactivating.stays', { name })}</p>
      <Note>
        <Trans t={t} i18nKey="people.deactivating.gentle" components={{ a: <TextButton onClick={onRoles} /> }} />
      </Note>
    </ConfirmDialog>
  );
}
