import { useTranslation } from 'react-i18next';
import { callersAddress } from '#common/model/callers-address.ts';
import { useStatus } from '#api/queries.ts';
import { useGatewaySettings, type ShownSettings } from '#api/settings-queries.ts';
import { LoadError } from '#ui/load-error.tsx';
import { Loading } from '#ui/loading.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { permittedPage } from '#ui/permitted-page.tsx';
import { SettingsTabs } from '#ui/settings-tabs.tsx';
import { SettingsForm } from './settings-form.tsx';
import './gateway-settings.css';

export const GatewayPage = permittedPage('access_settings', Gateway, {
  title: (t) => t('settingsTabs.gateway'),
  only: (t) => t('gatewayPage.only'),
});

function Gateway() {
  const { t } = useTranslation();
  const settings = useGatewaySettings();
  return (
    <>
      <PageHead title={t('settingsTabs.gateway')} answer={settings.data && <Answer settings={settings.data} />} />
      <SettingsTabs />
      {settings.isError && <LoadError error={settings.error} />}
      <Loading of={settings} />
      {settings.data && <SettingsForm settings={settings.data} />}
    </>
  );
}

function Answer({ settings }: { settings: ShownSettings }) {
  const { t } = useTranslation();
  const port = useStatus().data?.gateway.port;
  if (port === undefined) return null;
  if (port === null) return <b>{t('gatewayPage.answerAway')}</b>;
  return t('gatewayPage.answer', { url: callersAddress(settings, port) });
}
