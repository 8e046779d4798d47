import { useTranslation } from 'react-i18next';

/** How callers connect: one way for now, said as it is. */
export function ConnectChoice() {
  const { t } = useTranslation();
  return (
    <div className="stack tight">
      <h3>{t('setupPage.address.connect')}</h3>
      <p className="way-option chosen">
        <span className="two">
          <b>{t('setupPage.address.plain')}</b>
          <small>{t('setupPage.address.plainHelp')}</small>
        </span>
      </p>
      <p className="xs t3">{t('setupPage.address.noTls')}</p>
    </div>
  );
}
