import { useTranslation } from 'react-i18next';
import { Chip } from '#ui/chip.tsx';

/** The advisory about plain HTTP, where its remedy is (docs/spec/settings.md#tls). */
export function PlainHttp({ beside }: { beside: boolean }) {
  const { t } = useTranslation();
  return (
    <p className="plain-http">
      <Chip shape="advisory">{t('gatewayPage.plain')}</Chip>
      <span className="t2">{t(beside ? 'gatewayPage.plainBeside' : 'gatewayPage.plainText')}</span>
    </p>
  );
}
