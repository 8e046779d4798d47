import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import type { Permission } from '#common/model/records.ts';
import { useStatus } from '#api/queries.ts';
import { usePermission } from '#api/session.ts';

const TABS = [
  { name: 'apiKeys', href: '/settings/api-keys', permission: 'manage_keys' },
  { name: 'people', href: '/settings/people', permission: 'manage_users' },
  { name: 'tokens', href: '/settings/service-tokens', permission: 'manage_users' },
  { name: 'fleet', href: '/settings/fleet', permission: 'manage_keys' },
  { name: 'gateway', href: '/settings/gateway', permission: 'access_settings' },
  { name: 'connections', href: '/settings/connections', permission: 'access_settings' },
  { name: 'plugins', href: '/settings/plugins', permission: 'access_settings' },
  { name: 'backup', href: '/settings/backup', permission: 'access_settings' },
] as const satisfies readonly { name: string; href: string; permission: Permission }[];

export function useSettingsTabs() {
  const allowed = {
    access_settings: usePermission('access_settings'),
    manage_keys: usePermission('manage_keys'),
    manage_users: usePermission('manage_users'),
  };
  const isInFleet = useStatus().data?.fleet !== undefined;
  return TABS.filter((tab) => allowed[tab.permission] && (isInFleet || tab.name !== 'fleet'));
}

/** The first settings page that the user may open. */
export function useFirstSettingsPage(): string {
  return useSettingsTabs()[0]?.href ?? TABS[0].href;
}

/** Below the head of every settings page: links to those that the user may open. */
export function SettingsTabs() {
  const { t } = useTranslation();
  const [path] = useLocation();
  const tabs = useSettingsTabs();
  return (
    <nav className="segments" aria-label={t('settingsTabs.label')}>
      {tabs.map((tab) => (
        <Link key={tab.name} href={tab.href} aria-current={path.startsWith(tab.href) ? 'page' : undefined}>
          {t(`settingsTabs.${tab.name}`)}
        </Link>
      ))}
    </nav>
  );
}
