import { useTranslation } from 'react-i18next';
import { Chip } from '#ui/chip.tsx';

/** What stands where TLS would be chosen: this release has none. */
export function PlainHttp() {
  const { t } = useTranslation();
  return (
    <p className="plain-http">
      <Chip shape="advisory">{t('gatewayPage.plain')}</Chip>
      <span className="t2">{t('gatewayPage.plainText')}</span>
    </p>
  );
}
