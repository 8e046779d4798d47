import { useTranslation } from 'react-i18next';
import { Loading, useLoadPhase } from './loading.tsx';

const ROWS = 5;

/** Rows of a list that is loaded for the first time. Later, the previous rows remain until the next ones arrive. */
export function LoadingRows({ of }: Pick<Parameters<typeof Loading>[0], 'of'>) {
  return (
    <Loading of={of}>
      <Rows />
    </Loading>
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
