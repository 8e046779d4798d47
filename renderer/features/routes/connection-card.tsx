import { useTranslation } from 'react-i18next';
import type { RouteDetail } from '#common/model/route-record.ts';
import { useProjects } from '#api/queries.ts';
import { curlCall } from '#ui/calls/curl.ts';
import { KEY_PLACEHOLDER, planOf } from '#ui/calls/plan.ts';
import { useControlWords } from './control-words.ts';
import { QrCode } from './qr-code.tsx';

/** All data for connecting a machine, on one sheet. Never the key. */
export function ConnectionCard({ detail, consumer }: { detail: RouteDetail; consumer: string }) {
  const { t } = useTranslation();
  const { route, address } = detail;
  const project = useProjects().data?.find(({ id }) => id === route.project)?.name ?? route.project;
  const url = address + route.pattern;
  const controls = useControlWords(route).filter(({ name }) => name !== 'key');
  return (
    <article className="connection-card">
      <header>
        <div className="grow">
          <h2>{t('routes.card.heading', { project })}</h2>
          <p>{route.pipelineName}</p>
        </div>
        <QrCode text={url} label={t('routes.card.qr', { url })} />
      </header>
      <dl>
        <Line name={t('routes.card.consumer')}>
          <span className="blank">{consumer}</span>
        </Line>
        <Line name={t('routes.address')}>
          <code>{url}</code>
        </Line>
        <Line name={t('routes.card.method')}>
          <code>{route.method === '*' ? t('routes.card.anyMethod') : route.method}</code>
        </Line>
        <Line name={t('routes.card.key')}>
          {route.authType === 'none' ? t('routes.card.noKey') : t('routes.card.keyWords')}
        </Line>
        {controls.map(({ name, text }) => (
          <Line key={name} name={t(`routes.control.${name}`)}>
            {text}
          </Line>
        ))}
      </dl>
      <section>
        <h3>{t('routes.card.call')}</h3>
        <pre>{curlCall(planOf(detail), KEY_PLACEHOLDER)}</pre>
      </section>
      <section className="notes">
        <h3>{t('routes.card.notes')}</h3>
      </section>
    </article>
  );
}

function Line({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
