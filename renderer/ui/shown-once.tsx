import { Button, Checkbox } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from './dialog.tsx';
import { useLeaveGuard } from './leave-guard.tsx';

interface Props {
  title: string;
  above?: ReactNode;
  /** The texts of the question when the page is left. */
  leave: 'keys.leave' | 'tokens.leave';
  /** The label of the checkbox that allows closing. */
  stored: string;
  children: ReactNode;
  onClose: () => void;
}

/**
 * A dialog with a secret that is shown once. Neither Escape nor a click outside closes it, Close requires the checkbox,
 * and until then leaving the page in the browser asks for confirmation.
 */
export function ShownOnce({ title, above, leave, stored, children, onClose }: Props) {
  const { t } = useTranslation();
  const [isStored, setStored] = useState(false);
  const { question } = useLeaveGuard(!isStored, leave);
  return (
    <Dialog
      title={title}
      above={above}
      wide
      foot={
        <>
          <span className="grow t2">{isStored ? '' : t('keys.tickToClose')}</span>
          <Button disabled={!isStored} onClick={onClose}>
            {t('common.close')}
          </Button>
        </>
      }
    >
      {children}
      <Checkbox checked={isStored} onChange={(event) => setStored(event.currentTarget.checked)} label={stored} />
      {question}
    </Dialog>
  );
}
