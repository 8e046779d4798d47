import { useTranslation } from 'react-i18next';
import { PageHead } from '#ui/page-head.tsx';
import { SettingsTabs } from '#ui/settings-tabs.tsx';
export function PeoplePage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHead title={t('settingsTabs.people')} />
      <SettingsTabs />
    </>
  );
}
