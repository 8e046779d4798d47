import { useTranslation } from 'react-i18next';
import { Chip } from './chip.tsx';
import { useNow } from './now.ts';
import { ageText } from './time.tsx';

/** Waits for the first call with a key, and shows when it was received. */
export function FirstCall({ lastUsedAt }: { lastUsedAt: string | null }) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  return (
    <output>
      {lastUsedAt === null ? (
        <Chip shape="starting" quiet>
          {t('keys.waiting')}
        </Chip>
      ) : (
        <Chip shape="passed">{t('keys.firstCall', { time: ageText(t, i18n.language, lastUsedAt, now) })}</Chip>
      )}
    </output>
  );
}
