import { useTranslation } from 'react-i18next';

/** How callers connect at first, and where that is changed. */
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
      <p className="xs t3">{t('setupPage.address.tlsLater')}</p>
    </div>
  );
}
