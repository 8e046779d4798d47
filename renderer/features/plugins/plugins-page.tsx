import { useTranslation } from 'react-i18next';
import { PageHead } from '#ui/page-head.tsx';
import { SettingsTabs } from '#ui/settings-tabs.tsx';
export function PluginsPage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHead title={t('settingsTabs.plugins')} />
      <SettingsTabs />
    </>
  );
}
