import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { TagDefinition } from '#common/model/tag.ts';
import { useHistory, type History } from '#api/history-queries.ts';
import { LoadError } from '#ui/load-error.tsx';
import { TrendChart } from '#ui/trend/trend-chart.tsx';
import { trendOf } from './trend-series.ts';

const RANGE_MS = 15 * 60_000;
const PIXELS = 400;
const HEIGHT = 150;

/** The last 15 minutes of one tag. */
export function TagTrend({ project, tag }: { project: string; tag: TagDefinition }) {
  const { t } = useTranslation();
  const history = useHistory({ project, tags: [tag.path], range: RANGE_MS, pixels: PIXELS });
  return (
    <section className="stack tight">
      <div className="row">
        <h3 className="grow">{t('data.trend.quarter')}</h3>
        <Link className="touch" href={`/data/trend?project=${encodeURIComponent(project)}&tags=${tag.path}`}>
          {t('data.trend.open')}
        </Link>
      </div>
      {history.isError && <LoadError error={history.error} />}
      {history.data && <Course history={history.data} path={tag.path} />}
    </section>
  );
}

function Course({ history, path }: { history: History; path: string }) {
  const { t } = useTranslation();
  const { from, to } = history;
  const series = useMemo(
    () => history.tags.map((one) => trendOf(one, { from: history.from, until: history.to })),
    [history],
  );
  return <TrendChart plain label={t('data.trend.labelOne', { path })} {...{ series, from, to }} height={HEIGHT} />;
}
