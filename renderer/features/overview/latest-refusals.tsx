import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useRecentRows } from '#api/queries.ts';
import { Panel } from '#ui/panel.tsx';
import { Shape } from '#ui/shape.tsx';
import { Ago } from '#ui/time.tsx';

const SHOWN = 6;

export function LatestRefusals() {
  const { t } = useTranslation();
  const rows = useRecentRows({ type: 'refusal' }, SHOWN).data;
  return (
    <Panel title={t('overview.refusals')} side={<Link href="/journal?show=refusal">{t('overview.allRefusals')}</Link>}>
      {rows?.length === 0 && <p className="body t2">{t('overview.noRefusals')}</p>}
      <ul className="list">
        {rows?.map((row) => (
          <li key={`${row.time}${row.requestId ?? ''}`}>
            <Shape name="refused" small />
            <Link href={`/journal?why=${encodeURIComponent(row.requestId ?? '')}`} className="row-link">
              <span className="two">
                <b>
                  {row.status} {row.code}
                </b>
                <small>
                  <Ago iso={row.time} /> · {row.keyName ?? row.ip ?? ''}
                </small>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
