import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface Props {
  error: Error;
  onAgain: () => void;
  onClose: () => void;
}

/** A failed log-out: if the user leaves now, the pages remain open to the next person. */
export function LogOutDialog({ error, onAgain, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      title={t('shell.logOut.title')}
      keep={t('common.close')}
      act={t('shell.logOut.again')}
      danger={false}
      call={{ isPending: false, error }}
      onConfirm={onAgain}
      onClose={onClose}
    >
      <p>{t('shell.logOut.lead')}</p>
    </ConfirmDialog>
  );
}
