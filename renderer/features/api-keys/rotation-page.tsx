import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import type { KeyRecord } from '#common/model/records.ts';
import { useKeyTraffic } from '#api/key-queries.ts';
import { useKeys } from '#api/queries.ts';
import { usePermission } from '#api/session.ts';
import { LoadError } from '#ui/load-error.tsx';
import { LoadingRows } from '#ui/loading-rows.tsx';
import { NativeSelect } from '#ui/native-select.tsx';
import { Note } from '#ui/note.tsx';
import { useNow } from '#ui/now.ts';
import { PageHead } from '#ui/page-head.tsx';
import { Panel } from '#ui/panel.tsx';
import { showToast } from '#ui/toast.tsx';
import './api-keys.css';
import { successorOf } from './key-view.ts';
import { RevokeDialog } from './revoke-dialog.tsx';
import { HostTable } from './rotation-hosts.tsx';
import { DonePanel, KeyCard, TrafficChart, VerdictPanel } from './rotation-parts.tsx';
import { RouteMatrix } from './rotation-routes.tsx';
import { hostRows, rangeSince, routeRows, verdictOf, WAIT_MINUTES, WAITS } from './rotation-view.ts';

const LIST = '/settings/api-keys';

/** Compares both keys of a rotation until the old one can be revoked. */
export function RotationPage({ project, keyId }: { project: string; keyId: string }) {
  const { t } = useTranslation();
  const allowed = usePermission('manage_keys');
  const keys = useKeys(allowed ? project : null);
  const old = keys.data?.find((key) => key.id === keyId);
  const fresh = old && successorOf(old, keys.data ?? []);
  if (!allowed) return <PageHead title={t('keys.title')} answer={t('keys.onlyKeyManagers')} />;
  if (keys.data === undefined && keys.isError) return <LoadError error={keys.error} alone />;
  if (keys.data === undefined)
    return (
      <>
        <PageHead title={t('keys.title')} />
        <LoadingRows of={keys} />
      </>
    );
  if (old && fresh) return <Cockpit old={old} fresh={fresh} />;
  return (
    <>
      <PageHead title={t('keys.title')} />
      <Note title={t('keysPage.noRotation')} action={<Link href={LIST}>{t('keysPage.toKeys')}</Link>} />
    </>
  );
}

function Cockpit({ old, fresh }: { old: KeyRecord; fresh: KeyRecord }) {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const now = useNow();
  const [wait, setWait] = useWait();
  const [revoking, setRevoking] = useState<KeyRecord | null>(null);
  const range = rangeSince(fresh.createdAt, now.getTime());
  const oldTraffic = useKeyTraffic(old.project, old.id, range);
  const newTraffic = useKeyTraffic(fresh.project, fresh.id, range);
  const verdict = verdictOf(oldTraffic.data, newTraffic.data, old.lastUsedAt, wait, now);
  const done = old.revokedAt !== null;
  const revoked = () => {
    showToast({ text: t('keysPage.revokedToast', { name: revoking?.name }) });
    if (revoking?.id === fresh.id) go(LIST);
  };
  return (
    <>
      <p className="xs">
        <Link href={`${LIST}?project=${encodeURIComponent(old.project)}`} className="touch">
          {t('common.back', { page: t('keys.title') })}
        </Link>
      </p>
      <PageHead
        title={t('keysPage.rotateOf', { name: old.name })}
        actions={
          !done && (
            <>
              <Button className="danger-outline" onClick={() => setRevoking(fresh)}>
                {t('keysPage.giveUp')}
              </Button>
              <Button
                variant={verdict.kind === 'free' ? 'filled' : 'default'}
                className={verdict.kind === 'free' ? '' : 'danger-outline'}
                onClick={() => setRevoking(old)}
              >
                {verdict.kind === 'free' ? t('keysPage.revokeOld') : t('keysPage.revokeOldAnyway')}
              </Button>
            </>
          )
        }
      />
      {done ? (
        <DonePanel old={old} fresh={fresh} oldTraffic={oldTraffic.data} newTraffic={newTraffic.data} />
      ) : (
        <VerdictPanel verdict={verdict} wait={wait} />
      )}
      {oldTraffic.isError && <LoadError error={oldTraffic.error} />}
      <div className="rotation">
        <KeyCard title={t('keysPage.oldKey')} record={old} traffic={oldTraffic.data} />
        <KeyCard title={t('keysPage.newKey', { name: fresh.name })} record={fresh} traffic={newTraffic.data} />
        <TrafficChart old={oldTraffic.data} fresh={newTraffic.data} createdAt={fresh.createdAt} />
      </div>
      <Panel
        title={t('keysPage.matrix.title')}
        side={!done && <WaitPicker wait={wait} onChange={setWait} />}
        className={done ? '' : 'with-controls'}
      >
        {oldTraffic.data && newTraffic.data && (
          <RouteMatrix rows={routeRows(oldTraffic.data, newTraffic.data, wait, now)} isRevoked={done} />
        )}
      </Panel>
      <Panel title={t('keysPage.hosts')}>
        {oldTraffic.data && <HostTable rows={hostRows(oldTraffic.data, newTraffic.data, done)} oldKey={old.id} />}
      </Panel>
      {revoking && (
        <RevokeDialog
          record={revoking}
          {...(revoking.id === fresh.id ? { givesUp: true } : { successor: fresh })}
          onRevoked={revoked}
          onClose={() => setRevoking(null)}
        />
      )}
    </>
  );
}

const STORED = 'sluice.rotation-wait';

function useWait(): [number, (minutes: number) => void] {
  const [wait, setWait] = useState<number>(() => {
    const stored = Number(localStorage.getItem(STORED));
    return WAITS.find((minutes) => minutes === stored) ?? WAIT_MINUTES;
  });
  const change = (minutes: number) => {
    localStorage.setItem(STORED, String(minutes));
    setWait(minutes);
  };
  return [wait, change];
}

function WaitPicker({ wait, onChange }: { wait: number; onChange: (minutes: number) => void }) {
  const { t } = useTranslation();
  return (
    <span className="row">
      <span className="t2">{t('keysPage.wait')}</span>
      <NativeSelect
        label={t('keysPage.wait')}
        value={String(wait)}
        onChange={(value) => onChange(Number(value))}
        options={WAITS.map((minutes) => ({
          value: String(minutes),
          label: minutes < 60 ? `${minutes} min` : `${minutes / 60} h`,
        }))}
      />
    </span>
  );
}
