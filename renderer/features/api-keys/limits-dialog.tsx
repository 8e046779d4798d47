import { Button } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeyRecord } from '#common/model/records.ts';
import { useLimitKey } from '#api/key-queries.ts';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorNote } from '#ui/error-note.tsx';
import { limitsOf, textsOf } from './limit-entries.ts';
import { LimitFields } from './limit-fields.tsx';

/** Changes the limits of a key. A widening without the permission is refused by the host. */
export function LimitsDialog({ record, onClose }: { record: KeyRecord; onClose: () => void }) {
  const { t } = useTranslation();
  const limit = useLimitKey();
  const [texts, setTexts] = useState(() => textsOf(record.limits));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    limit.mutate({ record, limits: limitsOf(texts, record.scopes) }, { onSuccess: onClose });
  };
  return (
    <Dialog
      title={t('keyLimits.title', { name: record.name })}
      onDismiss={onClose}
      typed
      wide
      foot={
        <>
          <span className="grow" />
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" form="key-limits" variant="filled" loading={limit.isPending}>
            {t('keyLimits.save')}
          </Button>
        </>
      }
    >
      <form id="key-limits" onSubmit={submit} noValidate className="stack">
        {record.scopes.length === 0 && <p>{t('keyLimits.noScopes')}</p>}
        <LimitFields project={record.project} scopes={record.scopes} texts={texts} onChange={setTexts} />
        {limit.isError && <ErrorNote error={limit.error} />}
      </form>
    </Dialog>
  );
}
