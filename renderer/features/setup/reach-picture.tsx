import { useTranslation } from 'react-i18next';
import type { SetupFinding } from '#common/model/setup-test.ts';
import { Icon } from '#ui/icon.tsx';

/** The callers that reach this PC by each port; a path that does not work is dashed. */
export function ReachPicture({ findings }: { findings: readonly SetupFinding[] }) {
  const { t } = useTranslation();
  const gateway = findings.find(({ check }) => check === 'gatewayPort');
  const ui = findings.find(({ check }) => check === 'uiPort');
  const ports = { gateway: String(gateway?.values['port'] ?? '?'), ui: String(ui?.values['port'] ?? '?') };
  return (
    <figure className="reach" aria-label={t('setupPage.picture.label', ports)}>
      <span className="place">
        <Icon name="settings" />
        {t('setupPage.picture.callers')}
      </span>
      <span className={gateway?.ok === false ? 'way-in broken' : 'way-in'}>{ports.gateway}</span>
      <span className="place here">
        <Icon name="data" />
        {t('setupPage.picture.pc')}
      </span>
      <span className={ui?.ok === false ? 'way-in broken' : 'way-in'}>{ports.ui}</span>
      <span className="place">
        <Icon name="user" />
        {t('setupPage.picture.ui')}
      </span>
    </figure>
  );
}
