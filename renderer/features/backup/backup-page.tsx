import { useTranslation } from 'react-i18next';
import { useLastBackup } from '#api/backup-queries.ts';
import { usePermission } from '#api/session.ts';
import { useNow } from '#ui/now.ts';
import { PageHead } from '#ui/page-head.tsx';
import { permittedPage } from '#ui/permitted-page.tsx';
import { SettingsTabs } from '#ui/settings-tabs.tsx';
import { ageText } from '#ui/time.tsx';
import { BackupForm } from './backup-form.tsx';
import { PartsPanel } from './parts-panel.tsx';
import { RestorePanel } from './restore-panel.tsx';
import './backup.css';

export const BackupPage = permittedPage('access_settings', Backup, {
  title: (t) => t('settingsTabs.backup'),
  only: (t) => t('backup.only'),
});

function Backup() {
  const { t } = useTranslation();
  return (
    <>
      <PageHead title={t('settingsTabs.backup')} answer={<Answer />} />
      <SettingsTabs />
      <div className="halves backup">
        <BackupForm />
        <PartsPanel />
        <RestorePanel />
      </div>
    </>
  );
}

function Answer() {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const last = useLastBackup(usePermission('view_audit'));
  if (last.isPending && last.isFetching) return null;
  if (last.data === undefined) return t('backup.unknown');
  const { row, more } = last.data;
  if (row === null) return <b>{more ? t('backup.neverSeen') : t('backup.never')}</b>;
  return t('backup.last', { time: ageText(t, i18n.language, row.time, now), name: row.user ?? '' });
}
