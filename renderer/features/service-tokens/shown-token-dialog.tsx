import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '#ui/copy-button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useLeaveGuard } from '#ui/leave-guard.tsx';

interface Props {
  token: string;
  name: string;
  onClose: () => void;
}

/** The value of the token, shown once. Close requires the checkbox, and leaving the page asks for confirmation. */
export function ShownTokenDialog({ token, name, onClose }: Props) {
  const { t } = useTranslation();
  const [stored, setStored] = useState(false);
  const { question } = useLeaveGuard(!stored, 'tokens.leave');
  return (
    <Dialog
      title={t('tokens.shown.title', { name })}
      wide
      foot={
        <>
          <span className="grow t2">{stored ? '' : t('keys.tickToClose')}</span>
          <Button disabled={!stored} onClick={onClose}>
            {t('common.close')}
          </Button>
        </>
      }
    >
      <p>{t('tokens.shown.text')}</p>
      <code className="secret" data-testid="token-value">
        {token}
      </code>
      <div className="row wrap">
        <CopyButton text={token} label={t('tokens.shown.copy')} primary />
      </div>
      <p>{t('tokens.shown.use')}</p>
      <Checkbox
        checked={stored}
        onChange={(event) => setStored(event.currentTarget.checked)}
        label={t('tokens.shown.stored', { name })}
      />
      {question}
    </Dialog>
  );
}
