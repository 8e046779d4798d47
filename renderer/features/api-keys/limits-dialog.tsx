import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeyRecord } from '#common/model/records.ts';
import { useLimitKey } from '#api/key-queries.ts';
import { FormDialog } from '#ui/form-dialog.tsx';
import { limitsOf, textsOf } from './limit-entries.ts';
import { LimitFields } from './limit-fields.tsx';

/** Changes the limits of a key. A widening without the permission is refused by the host. */
export function LimitsDialog({ record, onClose }: { record: KeyRecord; onClose: () => void }) {
  const { t } = useTranslation();
  const limit = useLimitKey();
  const [texts, setTexts] = useState(() => textsOf(record.limits));
  return (
    <FormDialog
      wide
      title={t('keyLimits.title', { name: record.name })}
      act={t('keyLimits.save')}
      call={limit}
      onSubmit={() => limit.mutate({ record, limits: limitsOf(texts, record.scopes) }, { onSuccess: onClose })}
      onClose={onClose}
    >
      {record.scopes.length === 0 && <p>{t('keyLimits.noScopes')}</p>}
      <LimitFields project={record.project} scopes={record.scopes} texts={texts} onChange={setTexts} />
    </FormDialog>
  );
}
