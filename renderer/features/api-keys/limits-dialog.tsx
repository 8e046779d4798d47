import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeyRecord } from '#common/model/records.ts';
import type { PipelineLimits } from '#common/model/key-limits.ts';
import { useLimitKey, useProposal } from '#api/key-queries.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import { preciseTime } from '#ui/format.ts';
import { limitsOf, listTexts, textsOf } from '#ui/limits/limit-entries.ts';
import { LimitFields } from '#ui/limits/limit-fields.tsx';
import { Note } from '#ui/note.tsx';

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
      <Propose record={record} onTake={(limits) => setTexts({ ...texts, ...listTexts(limits) })} />
      <LimitFields project={record.project} scopes={record.scopes} texts={texts} onChange={setTexts} />
    </FormDialog>
  );
}

/** Fills in the uses of the key so far. Nothing changes before the limits are saved. */
function Propose({ record, onTake }: { record: KeyRecord; onTake: (limits: PipelineLimits) => void }) {
  const { t } = useTranslation();
  const proposal = useProposal();
  const { data, error } = proposal;
  return (
    <div className="stack">
      <div className="row wrap">
        <span className="t2 grow">{t('keyLimits.proposeHelp')}</span>
        <Button
          loading={proposal.isPending}
          onClick={() => proposal.mutate(record, { onSuccess: ({ limits }) => onTake(limits) })}
        >
          {t('keyLimits.propose')}
        </Button>
      </div>
      {error !== null && <ErrorNote error={error} />}
      {data !== undefined && (
        <Note>
          <p>{t('keyLimits.proposed', { time: preciseTime(new Date(data.since)) })}</p>
          {data.open.length > 0 && <p>{t('keyLimits.proposedOpen', { lists: data.open.join(', ') })}</p>}
        </Note>
      )}
    </div>
  );
}
