import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** A list that loads faster needs no indicator. */
const QUIET_MS = 200;
const ROWS = 5;

/** Rows of a list that is loaded for the first time. Later, the previous rows remain until the next ones arrive. */
export function LoadingRows() {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!shown) return null;
  return (
    <output className="loading-rows">
      <span className="visually-hidden">{t('common.loading')}</span>
      {Array.from({ length: ROWS }, (_, row) => (
        <span key={row} />
      ))}
    </output>
  );
}
