import { useTranslation } from 'react-i18next';
import { Loading } from './loading.tsx';

const ROWS = 5;

/** Rows of a list that is loaded for the first time. Later, the previous rows remain until the next ones arrive. */
export function LoadingRows({ of }: Pick<Parameters<typeof Loading>[0], 'of'>) {
  const { t } = useTranslation();
  return (
    <Loading of={of}>
      <output className="loading-rows">
        <span className="visually-hidden">{t('common.loading')}</span>
        {Array.from({ length: ROWS }, (_, row) => (
          <span key={row} />
        ))}
      </output>
    </Loading>
  );
}
