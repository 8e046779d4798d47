import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** A list that comes faster needs no sign. */
const QUIET_MS = 200;
const ROWS = 5;

/** Rows of a list that is read for the first time. A list that was read before stays until the next one is there. */
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
