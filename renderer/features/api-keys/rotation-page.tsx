import { useTranslation } from 'react-i18next';
import { PageHead } from '#ui/page-head.tsx';

export function RotationPage({ project, keyId }: { project: string; keyId: string }) {
  const { t } = useTranslation();
  return <PageHead title={t('keys.title')} answer={`${project} ${keyId}`} />;
}
