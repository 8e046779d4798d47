import { useTranslation } from 'react-i18next';
import { CopyButton } from '#ui/copy-button.tsx';
import { ShownOnce } from '#ui/shown-once.tsx';

interface Props {
  token: string;
  name: string;
  onClose: () => void;
}

export function ShownTokenDialog({ token, name, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <ShownOnce
      title={t('tokens.shown.title', { name })}
      leave="tokens.leave"
      stored={t('tokens.shown.stored', { name })}
      onClose={onClose}
    >
      <p>{t('tokens.shown.text')}</p>
      <code className="secret" data-testid="token-value">
        {token}
      </code>
      <div className="row wrap">
        <CopyButton text={token} label={t('tokens.shown.copy')} primary />
      </div>
      <p>{t('tokens.shown.use')}</p>
    </ShownOnce>
  );
}
