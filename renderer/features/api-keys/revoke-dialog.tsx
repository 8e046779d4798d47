import { Trans, useTranslation } from 'react-i18next';
import type { KeyRecord } from '#common/model/records.ts';
import { useKeyTraffic } from '#api/key-queries.ts';
import { useRecentRows, useRevokeKey } from '#api/queries.ts';
import { usePermission } from '#api/session.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { Note } from '#ui/note.tsx';
import { useNow } from '#ui/now.ts';
import { numberText } from '#ui/quantity.ts';
import { Panel } from '#ui/panel.tsx';
import { RouteName } from '#ui/route-name.tsx';
import { TableHead } from '#ui/table-head.tsx';
import { TextButton } from '#ui/text-button.tsx';
import { Ago, ageText } from '#ui/time.tsx';
import { callersOf } from './key-callers.ts';
import { type Revoked, RevokedOnEdges } from './revoked-on-edges.tsx';
import { seenWithNew } from './rotation-view.ts';

interface Props {
  record: KeyRecord;
  /** Absent: it is already being rotated. */
  onRotate?: () => void;
  /** The key that replaces this one: it has already been used on some of the routes. */
  successor?: KeyRecord;
  /** This is the new key of a rotation, which the revocation would end. */
  givesUp?: boolean;
  onRevoked?: () => void;
  onClose: () => void;
}

/**
 * The last callers of the key, the routes that stop working and their callers, the alternative, a checkbox, then the
 * action.
 */
export function RevokeDialog({ record, onRotate, successor, givesUp = false, onRevoked, onClose }: Props) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const revoke = useRevokeKey();
  const { name, lastUsedAt } = record;
  const used =
    lastUsedAt === null
      ? t('keys.revokeNever', { name })
      : t('keys.revokeUsed', { name, time: ageText(t, i18n.language, lastUsedAt, now) });
  const close = () => (onRevoked?.(), onClose());
  if (revoke.data && isOfFleet(revoke.data)) return <RevokedOnEdges revoked={revoke.data} onClose={close} />;
  return (
    <ConfirmDialog
      title={t(givesUp ? 'keysPage.giveUpTitle' : 'keys.revokeTitle', { name })}
      tick={t('keys.revokeTick', { name })}
      keep={t('keys.keep')}
      act={t(givesUp ? 'keysPage.giveUpSubmit' : 'keys.revokeSubmit')}
      call={revoke}
      onConfirm={() => revoke.mutate(record, { onSuccess: (revoked) => void (isOfFleet(revoked) || close()) })}
      onClose={onClose}
    >
      <p>
        <b>{used}</b> {t('keys.revokeEffect')}
      </p>
      {givesUp && <GivenUp record={record} />}
      {successor && <SeenWithSuccessor record={record} successor={successor} />}
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

/** Its edges are shown. */
function isOfFleet({ fleet, fleetError }: Revoked): boolean {
  return fleet !== undefined || fleetError !== undefined;
}

/** The callers of the new key lose access, whether or not they still have the old one. */
function GivenUp({ record }: { record: KeyRecord }) {
  const { t, i18n } = useTranslation();
  const traffic = useKeyTraffic(record.project, record.id).data;
  if (traffic === undefined) return null;
  if (traffic.lastCall === null) return <p>{t('keysPage.giveUpUnused')}</p>;
  const hosts = traffic.hosts.map(({ ip }) => ip).join(', ') || traffic.lastCall.ip;
  const rate = traffic.callsPerMinute;
  return (
    <Note kind="warning" title={t('keysPage.giveUpUsed', { hosts })}>
      <p>
        {rate !== null && `${t('keysPage.giveUpRate', { rate: numberText(rate, i18n.language, 1) })} `}
        {t('keysPage.giveUpEffect')}
      </p>
    </Note>
  );
}

function SeenWithSuccessor({ record, successor }: { record: KeyRecord; successor: KeyRecord }) {
  const { t } = useTranslation();
  const old = useKeyTraffic(record.project, record.id).data;
  const fresh = useKeyTraffic(successor.project, successor.id).data;
  if (old === undefined || fresh === undefined || old.routes.length === 0) return null;
  const { seen, missing } = seenWithNew(old, fresh);
  const total = seen.length + missing.length;
  if (missing.length === 0) return <Note title={t('keysPage.seenAll', { count: total, name: successor.name })} />;
  return (
    <Note kind="warning" title={t('keysPage.seenSome', { seen: seen.length, total, name: successor.name })}>
      <p>
        {t('keysPage.seenMissing')} <span className="mono wrap-any">{missing.join(', ')}</span>
      </p>
    </Note>
  );
}

const ROWS_READ = 200;

function WhatStops({ record }: { record: KeyRecord }) {
  const { t } = useTranslation();
  const mayAudit = usePermission('view_audit');
  const rows = useRecentRows({ keyId: record.id }, ROWS_READ, mayAudit).data ?? [];
  const traffic = useKeyTraffic(record.project, record.id).data;
  const callers = callersOf(rows, traffic?.hosts ?? [], traffic?.routes ?? []);
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
                {record.name}
                {ip !== '' && `, ${ip}`}
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
