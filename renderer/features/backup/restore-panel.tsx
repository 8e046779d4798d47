import { useTranslation } from 'react-i18next';
import { CodeBlock } from '#ui/code-block.tsx';
import { Panel } from '#ui/panel.tsx';

/** Restoring is done on the command line, while Sluice is stopped. */
export function RestorePanel() {
  const { t } = useTranslation();
  return (
    <Panel title={t('backup.restore.title')} className="whole">
      <div className="stack body">
        <p>{t('backup.restore.lead')}</p>
        <ol className="parts numbered">
          <li>{t('backup.restore.first')}</li>
          <li>{t('backup.restore.second')}</li>
          <li>{t('backup.restore.third')}</li>
        </ol>
        <CodeBlock title={t('backup.restore.code')} code={`sluice restore ${t('backup.restore.file')}`} />
        <p className="t2">{t('backup.restore.folder')}</p>
      </div>
    </Panel>
  );
}
