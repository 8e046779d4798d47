import { useTranslation } from 'react-i18next';
import type { TokenRecord } from '#common/model/records.ts';
import { useRevokeToken } from '#api/token-queries.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { confirmTexts } from '#ui/confirm-texts.ts';
import { useNow } from '#ui/now.ts';
import { ageText } from '#ui/time.tsx';

interface Props {
  record: TokenRecord;
  onRevoked: (record: TokenRecord) => void;
  onClose: () => void;
}

export function RevokeTokenDialog({ record, onRevoked, onClose }: Props) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const revoke = useRevokeToken();
  const { id, name, lastUsedAt } = record;
  return (
    <ConfirmDialog
      {...confirmTexts(t, 'tokens.revoking', name)}
      call={revoke}
      onConfirm={() => revoke.mutate(id, { onSuccess: () => onRevoked(record) })}
      onClose={onClose}
    >
      <p>
        <b>
          {lastUsedAt === null
            ? t('tokens.revoking.unused')
            : t('tokens.revoking.used', { time: ageText(t, i18n.language, lastUsedAt, now) })}
        </b>{' '}
        {t('tokens.revoking.effect')}
      </p>
    </ConfirmDialog>
  );
}
