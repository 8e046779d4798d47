import { useTranslation } from 'react-i18next';
import type { SettingName } from '#common/model/settings.ts';
import type { ShownSettings } from '#api/settings-queries.ts';
import { useTraffic } from '#api/traffic-queries.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { Loading } from '#ui/loading.tsx';
import { Note } from '#ui/note.tsx';
import { Panel } from '#ui/panel.tsx';
import { TableHead } from '#ui/table-head.tsx';
import { Ago } from '#ui/time.tsx';
import { TwoLines } from '#ui/two-lines.tsx';
import { movesOf } from './setting-changes.ts';

interface Props {
  settings: ShownSettings;
  patch: Partial<Record<SettingName, unknown>>;
  pending: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Another address or port: who calls the current one. */
export function MoveDialog({ settings, patch, pending, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  const moves = movesOf(settings, patch);
  const ask = moves.old === moves.new ? 'trust' : 'tls' in patch ? 'scheme' : 'address';
  const secure = moves.new.startsWith('https:');
  return (
    <ConfirmDialog
      title={t(`gatewayPage.moving.title.${ask}`)}
      tick={t('gatewayPage.moving.tick')}
      keep={t(`gatewayPage.moving.keep.${ask}`)}
      act={t(`gatewayPage.moving.submit.${ask}`)}
      call={{ isPending: pending, error: null }}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        {ask === 'trust' ? t('gatewayPage.moving.effectTrust') : t('gatewayPage.moving.effect', moves)}{' '}
        {ask === 'scheme' && secure && t('gatewayPage.moving.effectSecure')}
      </p>
      <CallersNow />
      <Note>{t('gatewayPage.moving.gentle')}</Note>
    </ConfirmDialog>
  );
}

const CALLERS_SHOWN_MAX = 6;

function CallersNow() {
  const { t } = useTranslation();
  const traffic = useTraffic('15m');
  if (traffic.isPending) return <Loading of={traffic} />;
  if (traffic.isError) return <Note>{t('gatewayPage.moving.unknown')}</Note>;
  const called = traffic.data.callers
    .filter((caller) => caller.lastCallAt !== null)
    .toSorted((a, b) => (b.lastCallAt ?? '').localeCompare(a.lastCallAt ?? ''));
  if (called.length === 0) return <p>{t('gatewayPage.moving.nobody')}</p>;
  return (
    <Panel>
      <table className="read">
        <TableHead columns={[t('gatewayPage.moving.caller'), t('gatewayPage.moving.last')]} />
        <tbody>
          {called.slice(0, CALLERS_SHOWN_MAX).map((caller) => (
            <tr key={caller.keyId}>
              <td>
                <TwoLines name={caller.name} id={caller.ip ?? ''} />
              </td>
              <td>
                <Ago iso={caller.lastCallAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
