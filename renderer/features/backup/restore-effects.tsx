import { useTranslation } from 'react-i18next';
import type { NamedKeys, RestorePreview } from '#common/model/restore.ts';
import { Fact } from '#ui/fact.tsx';
import { dayAndTime } from '#ui/format.ts';
import { Note } from '#ui/note.tsx';
import { numberText } from '#ui/quantity.ts';

/** The contents of a checked backup, and the effects of restoring it. `here`: the name of this PC. */
export function RestoreEffects({ preview, here }: { preview: RestorePreview; here: string }) {
  const { t, i18n } = useTranslation();
  const { createdAt, machine, version, journal, lost, revokedSince, uiUrl } = preview;
  const unknown = t('backup.restore.facts.unknown');
  return (
    <>
      <dl className="facts">
        <Fact name={t('backup.restore.facts.made')}>{dayAndTime(new Date(createdAt), i18n.language)}</Fact>
        <Fact name={t('backup.restore.facts.machine')}>{machine ?? unknown}</Fact>
        <Fact name={t('backup.restore.facts.version')}>{version ?? unknown}</Fact>
        {(['projects', 'pipelines', 'keys', 'users'] as const).map((name) => (
          <Fact key={name} name={t(`backup.restore.facts.${name}`)}>
            {numberText(preview[name], i18n.language)}
          </Fact>
        ))}
      </dl>
      <Note kind="warning" title={t('backup.restore.effects.stop')}>
        <ul className="parts">
          <li>{t('backup.restore.effects.lostChanges')}</li>
          {lost.count > 0 && <Keys kind="lost" keys={lost} />}
          {revokedSince.count > 0 && <Keys kind="revoked" keys={revokedSince} />}
          <li>{t(`backup.restore.journal.${journal}`)}</li>
          {machine !== null && machine !== here && (
            <li>{t('backup.restore.effects.otherMachine', { name: machine })}</li>
          )}
          {uiUrl !== null && <li>{t('backup.restore.effects.uiUrl', { url: uiUrl })}</li>}
        </ul>
      </Note>
    </>
  );
}

function Keys({ kind, keys: { count, names } }: { kind: 'lost' | 'revoked'; keys: NamedKeys }) {
  const { t } = useTranslation();
  const list = names.join(', ');
  const shown = count > names.length ? t('backup.restore.effects.more', { names: list }) : list;
  return <li>{t(`backup.restore.effects.${kind}`, { count, names: shown })}</li>;
}
