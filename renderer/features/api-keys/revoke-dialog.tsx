import { Trans, useTranslation } from 'react-i18next';
import type { KeyRecord } from '#common/model/records.ts';
import { useKeyTraffic } from '#api/key-queries.ts';
import { useRecentRows, useRevokeKey } from '#api/queries.ts';
import { usePermission } from '#api/session.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { Note } from '#ui/note.tsx';
import { useNow } from '#ui/now.ts';
import { Panel } from '#ui/panel.tsx';
import { RouteName } from '#ui/route-name.tsx';
import { TableHead } from '#ui/table-head.tsx';
import { TextButton } from '#ui/text-button.tsx';
import { Ago, ageText } from '#ui/time.tsx';
import { callersOf } from './key-callers.ts';

interface Props {
  record: KeyRecord;
  /** Absent: it is being rotated already. */
  onRotate?: () => void;
  onRevoked?: () => void;
  onClose: () => void;
}

/** The last users of the key, the routes that stop and their callers, the alternative, a checkbox, then the action. */
export function RevokeDialog({ record, onRotate, onRevoked, onClose }: Props) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const revoke = useRevokeKey();
  const { name, lastUsedAt } = record;
  const used =
    lastUsedAt === null
      ? t('keys.revokeNever', { name })
      : t('keys.revokeUsed', { name, time: ageText(t, i18n.language, lastUsedAt, now) });
  return (
    <ConfirmDialog
      title={t('keys.revokeTitle', { name })}
      tick={t('keys.revokeTick', { name })}
      keep={t('keys.keep')}
      act={t('keys.revokeSubmit')}
      pending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate(record, { onSuccess: () => (onRevoked?.(), onClose()) })}
      onClose={onClose}
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
    </ConfirmDialog>
  );
}

const ROWS_READ = 200;

function WhatStops({ record }: { record: KeyRecord }) {
  const { t } = useTranslation();
  const mayAudit = usePermission('view_audit');
  const rows = useRecentRows({ keyId: record.id }, ROWS_READ, mayAudit).data ?? [];
  const hosts = useKeyTraffic(record.project, record.id).data?.hosts ?? [];
  const callers = callersOf(rows, hosts);
  if (callers.length === 0) return null;
  return (
    <Panel>
      <table className="read">
        <TableHead columns={[t('keys.revokeWhat'), t('keys.revokeWho'), t('keys.revokeLast')]} />
        <tbody>
          {callers.map(({ method, route, ip, at }) => (
            <tr key={`${method ?? ''} ${route ?? ''} ${ip}`}>
              <td>
                {route === undefined ? (
                  <span className="t2">{t('keysPage.someRoute')}</span>
                ) : (
                  <RouteName method={method} pattern={route} />
                )}
              </td>
              <td>
                {record.name}, {ip}
              </td>
              <td>
                <Ago iso={at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
