import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AreaField, TextField } from './form-fields.tsx';
import { Icon } from './icon.tsx';

/** Undefined keeps the stored value, null removes it, a text replaces it. */
export type SecretDraft = string | null | undefined;

interface Props {
  label: string;
  help?: ReactNode;
  fault?: string | null;
  /** Whether a value is stored. */
  isSet: boolean;
  value: SecretDraft;
  onChange: (value: SecretDraft) => void;
  /** For PEM texts. */
  rows?: number;
}

/** A write-only value: it shows whether it is set, and can be replaced or removed. */
export function SecretField({ label, help, fault, isSet, value, onChange, rows }: Props) {
  const { t } = useTranslation();
  if (isSet && typeof value !== 'string') return <Stored {...{ label, help, value, onChange }} />;
  const field = { label, help, fault, value: value ?? '', onChange };
  return (
    <div className="secret-field">
      {rows === undefined ? (
        <TextField {...field} type="password" autoComplete="new-password" />
      ) : (
        <AreaField {...field} rows={rows} mono />
      )}
      {isSet && (
        <Button aria-label={t('shell.secret.keepNamed', { field: label })} onClick={() => onChange(undefined)}>
          {t('shell.secret.keep')}
        </Button>
      )}
    </div>
  );
}

function Stored({ label, help, value, onChange }: Pick<Props, 'label' | 'help' | 'value' | 'onChange'>) {
  const { t } = useTranslation();
  const named = { field: label };
  return (
    <div className="secret-field">
      <p className="mantine-InputWrapper-label">{label}</p>
      <p className="row wrap">
        <Icon name={value === null ? 'close' : 'check'} small />
        <span>{value === null ? t('shell.secret.removed') : t('shell.secret.set')}</span>
        {value === null ? (
          <Button aria-label={t('shell.secret.keepNamed', named)} onClick={() => onChange(undefined)}>
            {t('shell.secret.keep')}
          </Button>
        ) : (
          <>
            <Button aria-label={t('shell.secret.replaceNamed', named)} onClick={() => onChange('')}>
              {t('shell.secret.replace')}
            </Button>
            <Button aria-label={t('shell.secret.removeNamed', named)} onClick={() => onChange(null)}>
              {t('shell.secret.remove')}
            </Button>
          </>
        )}
      </p>
      {help !== undefined && <p className="mantine-InputWrapper-description">{help}</p>}
    </div>
  );
}
