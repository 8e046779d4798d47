import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import type { AuditRow } from '#common/model/audit.ts';
import type { KeyRecord } from '#common/model/records.ts';
import { useRecentRows, useRevokeKey } from '#api/queries.ts';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorNote } from '#ui/error-note.tsx';
import { Note } from '#ui/note.tsx';
import { useNow } from '#ui/now.ts';
import { Panel } from '#ui/panel.tsx';
import { RouteName } from '#ui/route-name.tsx';
import { TextButton } from '#ui/text-button.tsx';
import { Ago, ageText } from '#ui/time.tsx';

interface Props {
  record: KeyRecord;
  /** Absent: it is being rotated already. */
  onRotate?: () => void;
  onRevoked?: () => void;
  onClose: () => void;
}

/** Who used the key and when, what stops and for whom, the gentler way, a tick, then the act. */
export function RevokeDialog({ record, onRotate, onRevoked, onClose }: Props) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const revoke = useRevokeKey();
  const [ticked, setTicked] = useState(false);
  const { name, lastUsedAt } = record;
  const used =
    lastUsedAt === null
      ? t('keys.revokeNever', { name })
      : t('keys.revokeUsed', { name, time: ageText(t, i18n.language, lastUsedAt, now) });
  return (
    <Dialog
      title={t('keys.revokeTitle', { name })}
      onDismiss={onClose}
      foot={
        <>
          <span className="grow" />
          <Button data-autofocus onClick={onClose}>
            {t('keys.keep')}
          </Button>
          <Button
            variant="danger"
            disabled={!ticked}
            loading={revoke.isPending}
            onClick={() => revoke.mutate(record, { onSuccess: () => (onRevoked?.(), onClose()) })}
          >
            {t('keys.revokeSubmit')}
          </Button>
        </>
      }
    >
      <p>
        <b>{used}</b> {t('keys.revokeEffect')}
      </p>
      <WhatStops record={record} />
      {onRotate && (
        <Note>
          <p>
            <Trans t={t} i18nKey="keys.revokeGentle" components={{ a: <TextButton onClick={onRotate} /> }} />
          </p>
        </Note>
      )}
      <Checkbox
        checked={ticked}
        onChange={(event) => setTicked(event.currentTarget.checked)}
        label={t('keys.revokeTick', { name })}
      />
      {revoke.isError && <ErrorNote error={revoke.error} />}
    </Dialog>
  );
}

const ROWS_READ = 200;

/** The newest row of each route and address among the key's latest rows. */
function callersOf(rows: readonly AuditRow[]): AuditRow[] {
  const newest = new Map<string, AuditRow>();
  for (const row of rows) {
    const place = `${row.method ?? ''} ${row.route ?? ''} ${row.ip ?? ''}`;
    if (row.route !== undefined && row.type !== 'admin' && !newest.has(place)) newest.set(place, row);
  }
  return [...newest.values()];
}

function WhatStops({ record }: { record: KeyRecord }) {
  const { t } = useTranslation();
  const rows = useRecentRows({ keyId: record.id }, ROWS_READ).data ?? [];
  const callers = callersOf(rows);
  if (callers.length === 0) return null;
  return (
    <Panel>
      <table className="read">
        <thead>
          <tr>
            <th>{t('keys.revokeWhat')}</th>
            <th>{t('keys.revokeWho')}</th>
            <th>{t('keys.revokeLast')}</th>
          </tr>
        </thead>
        <tbody>
          {callers.map((row) => (
            <tr key={`${row.method ?? ''}${row.route ?? ''}${row.ip ?? ''}`}>
              <td>
                <RouteName method={row.method} pattern={row.route} />
              </td>
              <td>
                {record.name}, {row.ip}
              </td>
              <td>
                <Ago iso={row.time} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
