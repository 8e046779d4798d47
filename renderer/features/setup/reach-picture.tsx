import { useTranslation } from 'react-i18next';
import type { SetupFinding } from '#common/model/setup-test.ts';
import { Icon, LineIcon } from '#ui/icon.tsx';

const CHIP =
  'M6 5h12a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1M9 9h6v6H9zM3 10h2M3 14h2M10 3v2M14 3v2M19 10h2M19 14h2M14 19v2M10 19v2';
const HOST =
  'M6 4h12a3 3 0 0 1 3 3v2a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3V7a3 3 0 0 1 3-3M6 12h12a3 3 0 0 1 3 3v2a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3v-2a3 3 0 0 1 3-3M7 8h.01M7 16h.01M11 8h6M11 16h6';

/** The callers that reach this PC by each port; a path that does not work is dashed. */
export function ReachPicture({ findings }: { findings: readonly SetupFinding[] }) {
  const { t } = useTranslation();
  const gateway = findings.find(({ check }) => check === 'gatewayPort');
  const ui = findings.find(({ check }) => check === 'uiPort');
  const ports = { gateway: String(gateway?.values['port'] ?? '?'), ui: String(ui?.values['port'] ?? '?') };
  return (
    <figure className="reach" aria-label={t('setupPage.picture.label', ports)}>
      <span className="place">
        <LineIcon path={CHIP} />
        {t('setupPage.picture.callers')}
      </span>
      <span className={gateway?.ok === false ? 'way-in broken' : 'way-in'}>{ports.gateway}</span>
      <span className="place here">
        <LineIcon path={HOST} />
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
