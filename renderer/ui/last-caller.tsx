import { useTranslation } from 'react-i18next';
import { useRecentRows } from '#api/queries.ts';
import { usePermission } from '#api/session.ts';
import { useTraffic } from '#api/traffic-queries.ts';
import type { RouteView } from './routes-of.ts';
import { Ago } from './time.tsx';

interface Props {
  route: RouteView;
  project: string;
  pipeline: string;
}

/** "MES line 7, 2 s ago": the last caller of a route, as far as the gateway or, without it, the journal knows. */
export function LastCaller({ route, project, pipeline }: Props) {
  const { t } = useTranslation();
  const traffic = useTraffic('15m');
  const known = traffic.data?.routes.find(
    (one) =>
      one.project === project &&
      one.pipeline === pipeline &&
      one.method === route.method &&
      one.pattern === route.pattern,
  );
  if (known === undefined && !traffic.isPending) return <JournaledCaller {...{ route, project, pipeline }} />;
  if (known === undefined) return <span className="t3">–</span>;
  const { lastCall } = known;
  if (lastCall === null) return <span className="t3">{t('pipelines.stopNobody')}</span>;
  return (
    <>
      {lastCall.name ?? lastCall.ip}, <Ago iso={lastCall.at} />
    </>
  );
}

const ROWS = 20;

function JournaledCaller({ route, project, pipeline }: Props) {
  const { t } = useTranslation();
  const mayAudit = usePermission('view_audit');
  const rows = useRecentRows({ route: route.pattern, type: 'outcome' }, ROWS, mayAudit).data;
  const last = rows?.find((row) => row.project === project && row.pipeline === pipeline);
  if (last === undefined) return <span className="t3">{rows ? t('pipelines.stopNobody') : '–'}</span>;
  return (
    <>
      {last.keyName ?? last.ip}, <Ago iso={last.time} />
    </>
  );
}
