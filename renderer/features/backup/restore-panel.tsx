import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PERMISSIONS } from '#common/model/records.ts';
import { useLastBackup } from '#api/backup-queries.ts';
import { usePermission, useSession } from '#api/session.ts';
import { CodeBlock } from '#ui/code-block.tsx';
import { useNow } from '#ui/now.ts';
import { Panel } from '#ui/panel.tsx';
import { ageText } from '#ui/time.tsx';
import { RestoreDialog } from './restore-dialog.tsx';

export function RestorePanel() {
  const { t } = useTranslation();
  const session = useSession().data;
  const [isOpen, setOpen] = useState(false);
  const mayRestore = session?.kind === 'in' && PERMISSIONS.every((one) => session.permissions.includes(one));
  return (
    <Panel title={t('backup.restore.title')} className="whole">
      <div className="stack body">
        <p>{t('backup.restore.lead')}</p>
        <LastRestore />
        {mayRestore ? (
          <div className="row">
            <Button onClick={() => setOpen(true)}>{t('backup.restore.begin')}</Button>
          </div>
        ) : (
          <p className="t2">{t('backup.restore.only')}</p>
        )}
        <h3>{t('backup.restore.byCommand')}</h3>
        <p>{t('backup.restore.byCommandLead')}</p>
        <ol className="parts numbered">
          <li>{t('backup.restore.first')}</li>
          <li>{t('backup.restore.second')}</li>
          <li>{t('backup.restore.third')}</li>
        </ol>
        <CodeBlock title={t('backup.restore.code')} code={`sluice restore ${t('backup.restore.file')}`} />
        <p className="t2">{t('backup.restore.folder')}</p>
      </div>
      {isOpen && <RestoreDialog onClose={() => setOpen(false)} />}
    </Panel>
  );
}

/** From the journal. */
function LastRestore() {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const row = useLastBackup(usePermission('view_audit')).data?.restore;
  if (!row) return null;
  const words = { time: ageText(t, i18n.language, row.time, now), name: row.user ?? '' };
  return <p>{t(row.status === 200 ? 'backup.restore.last' : 'backup.restore.lastFailed', words)}</p>;
}
