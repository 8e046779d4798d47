import { useTranslation } from 'react-i18next';
import { readEgressUrl } from '#common/model/egress-settings.ts';
import { Note } from '../note.tsx';
import { useFormContext } from './form-context.tsx';

/** Stored secrets belong to one scheme, host and port; another one clears them when it is saved. */
export function TargetNote({ url }: { url: string }) {
  const { t } = useTranslation();
  const { settings, savedUrls } = useFormContext();
  if (!holdsSecrets(settings)) return null;
  const origin = readEgressUrl(url)?.origin;
  const known = savedUrls.some((one) => readEgressUrl(one)?.origin === origin);
  if (origin === undefined || known)
    return <p className="mantine-InputWrapper-description">{t('editorForm.secret.bound')}</p>;
  return (
    <Note kind="warning" title={t('editorForm.secret.cleared', { origin })}>
      <p className="t2">{t('editorForm.secret.clearedHelp')}</p>
    </Note>
  );
}

function holdsSecrets(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return ('set' in value && value.set === true) || Object.values(value).some(holdsSecrets);
}
