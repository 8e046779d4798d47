import { useTranslation } from 'react-i18next';
import { LoadError } from './load-error.tsx';
import { Loading, useLoadPhase } from './loading.tsx';

const ROWS = 5;

type Query = Parameters<typeof Loading>[0]['of'] & { error: Error | null };

/**
 * Rows of a list that is loaded for the first time, and the reason if it cannot be loaded. Later, the previous rows remain
 * until the next ones arrive.
 */
export function LoadingRows({ of }: { of: Query }) {
  return (
    <>
      <Loading of={of}>
        <Rows />
      </Loading>
      {of.error && <LoadError error={of.error} />}
    </>
  );
}

/** In place of a part whose code is loaded; nothing for the first 200 ms. */
export function PartRows() {
  return useLoadPhase() === 'quiet' ? null : <Rows />;
}

function Rows() {
  const { t } = useTranslation();
  return (
    <output className="loading-rows">
      <span className="visually-hidden">{t('common.loading')}</span>
      {Array.from({ length: ROWS }, (_, row) => (
        <span key={row} />
      ))}
    </output>
  );
}
