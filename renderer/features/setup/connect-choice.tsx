import { useTranslation } from 'react-i18next';
import type { Protocol } from './address-input.ts';

const CHOICES = ['own', 'off'] as const satisfies Protocol[];

/** How callers connect: with the certificate that Sluice creates, or without encryption. */
export function ConnectChoice({ value, onChoose }: { value: Protocol; onChoose: (tls: Protocol) => void }) {
  const { t } = useTranslation();
  return (
    <fieldset className="way-options">
      <legend>{t('setupPage.address.connect')}</legend>
      {CHOICES.map((one) => (
        <label key={one} className={one === value ? 'way-option chosen' : 'way-option'}>
          <input type="radio" name="connection" checked={one === value} onChange={() => onChoose(one)} />
          <span className="two grow">
            <b>{t(one === 'own' ? 'setupPage.address.own' : 'setupPage.address.plain')}</b>
            <small>{t(one === 'own' ? 'setupPage.address.ownHelp' : 'setupPage.address.plainHelp')}</small>
          </span>
          {one === 'own' && <small className="t2 nowrap">{t('setupPage.address.recommended')}</small>}
        </label>
      ))}
    </fieldset>
  );
}
