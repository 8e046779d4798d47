import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { SetupFinding } from '#common/model/setup-test.ts';
import { Note } from '#ui/note.tsx';
import type { AddressField } from './address-input.ts';

interface Props {
  finding: SetupFinding;
  onUse: (field: AddressField, value: string) => void;
}

/** Why a port cannot be used, and a free one. */
export function PortFix({ finding, onUse }: Props) {
  const { t } = useTranslation();
  const { check, code, values } = finding;
  const free = values['free'];
  const known = code === 'taken' || code === 'privileged' || code === 'same' ? code : 'other';
  const title =
    code === 'taken' && typeof values['program'] === 'string'
      ? t('setupPage.portFix.takenBy', values)
      : t(`setupPage.portFix.${known}`, values);
  return (
    <Note
      kind="error"
      title={title}
      action={
        typeof free === 'number' &&
        (check === 'gatewayPort' || check === 'uiPort') && (
          <Button onClick={() => onUse(check, String(free))}>{t('setupPage.address.use', { port: free })}</Button>
        )
      }
    >
      <p className="t2">{t(`setupPage.portFix.${known}Help`)}</p>
    </Note>
  );
}
