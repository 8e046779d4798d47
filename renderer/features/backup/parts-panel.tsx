import { useTranslation } from 'react-i18next';
import { CodeBlock } from '#ui/code-block.tsx';
import { Panel } from '#ui/panel.tsx';

const IN = ['vault', 'projects', 'outbox', 'plugins'] as const;
const NOT_IN = ['journal', 'secret'] as const;

/** The contents of a backup, and parts that it does not contain. */
export function PartsPanel() {
  const { t } = useTranslation();
  return (
    <Panel title={t('backup.parts.title')}>
      <div className="stack body">
        <ul className="parts">
          {IN.map((name) => (
            <li key={name}>{t(`backup.parts.${name}`)}</li>
          ))}
        </ul>
        <h3>{t('backup.parts.notTitle')}</h3>
        <ul className="parts">
          {NOT_IN.map((name) => (
            <li key={name}>{t(`backup.parts.${name}`)}</li>
          ))}
        </ul>
        <CodeBlock title={t('backup.command')} code={`sluice backup ${t('backup.restore.file')}`} />
      </div>
    </Panel>
  );
}
