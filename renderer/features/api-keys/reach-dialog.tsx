import { useTranslation } from 'react-i18next';
import type { KeyReach, KeyUse, ReachedRoute } from '#common/model/key-reach.ts';
import type { KeyRecord } from '#common/model/records.ts';
import { useKeyReach } from '#api/key-queries.ts';
import { Chip } from '#ui/chip.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { DialogFoot } from '#ui/dialog-foot.tsx';
import { ErrorNote } from '#ui/error-note.tsx';
import { Loading } from '#ui/loading.tsx';
import { RouteName } from '#ui/route-name.tsx';
import { Tags } from '#ui/tags.tsx';
import { Moment } from '#ui/time.tsx';
import { isLimited } from '#ui/limits/limit-entries.ts';
import { limitName } from '#ui/limits/limit-fields.tsx';

/** The reach of a key: the routes that it can call, and the resources that the pipelines behind them use. */
export function ReachDialog({ record, onClose }: { record: KeyRecord; onClose: () => void }) {
  const { t } = useTranslation();
  const reach = useKeyReach(record.project, record.id);
  return (
    <Dialog
      title={t('keysPage.reachTitle', { name: record.name })}
      onDismiss={onClose}
      wide
      foot={<DialogFoot keep={t('common.close')} onKeep={onClose} />}
    >
      <div className="row wrap">
        <span className="mono t2">{`slc_${record.id}_…`}</span>
        <Tags names={record.scopes} none={t('keys.noScopes')} />
      </div>
      <Limits record={record} />
      {record.revokedAt !== null && <p>{t('keysPage.reachRevoked')}</p>}
      {reach.isError && <ErrorNote error={reach.error} />}
      <Loading of={reach} />
      {reach.data && record.revokedAt === null && <Reached reach={reach.data} />}
    </Dialog>
  );
}

function Limits({ record }: { record: KeyRecord }) {
  const { t } = useTranslation();
  if (!isLimited(record)) return null;
  return (
    <>
      <h3>{t('keyLimits.heading')}</h3>
      <ul className="list read">
        {Object.entries(record.limits).map(([name, entries]) => (
          <li key={name}>
            <span className="mono">{limitName(t, name)}</span>
            {Array.isArray(entries) && <Tags names={entries} none={t('keyLimits.nothing')} />}
            {typeof entries === 'string' && <Moment iso={entries} />}
          </li>
        ))}
      </ul>
    </>
  );
}

function Reached({ reach }: { reach: KeyReach }) {
  const { t } = useTranslation();
  const opened = reach.routes.filter(({ missing }) => missing.length === 0);
  const closed = reach.routes.filter(({ missing }) => missing.length > 0);
  return (
    <>
      <p>
        <b>{t('keysPage.reachRoutes', { reached: opened.length, total: reach.routes.length })}</b>
      </p>
      <ul className="list read">
        {opened.map((route) => (
          <OpenRoute key={`${route.method} ${route.pattern} ${route.pipeline}`} route={route} />
        ))}
        {closed.map((route) => (
          <li key={`${route.method} ${route.pattern} ${route.pipeline}`} className="dim">
            <span className="grow">
              <RouteName method={route.method} pattern={route.pattern} />
            </span>
            <span className="t2">{t('keysPage.lacks')}</span>
            <Tags names={route.missing} none="" />
          </li>
        ))}
      </ul>
      <h3>{t('keysPage.behind')}</h3>
      {reach.uses.length === 0 && <p className="t2">{t('keysPage.usesNothing')}</p>}
      <ul className="list read">
        {reach.uses.map((use) => (
          <UseRow key={use.what} use={use} />
        ))}
      </ul>
      <p className="t3">{t('keysPage.reachHow')}</p>
    </>
  );
}

function OpenRoute({ route }: { route: ReachedRoute }) {
  const { t } = useTranslation();
  return (
    <li>
      <span className="grow two">
        <RouteName method={route.method} pattern={route.pattern} />
        <small>{route.pipelineName}</small>
      </span>
      {route.public && <Chip shape="advisory">{t('keysPage.public')}</Chip>}
      {route.allowedIps !== null && (
        <span className="t2">{t('keysPage.from', { ips: route.allowedIps.join(', ') })}</span>
      )}
      {!route.answers && (
        <Chip shape="stopped" quiet>
          {t('keysPage.stopped')}
        </Chip>
      )}
    </li>
  );
}

const NAMES_SHOWN = 12;

function UseRow({ use }: { use: KeyUse }) {
  const { t } = useTranslation();
  const shown = use.names.slice(0, NAMES_SHOWN);
  const rest = use.names.length - shown.length;
  return (
    <li>
      <span className="two grow">
        <b className="strong">{t(`keysPage.use.${use.what}`, { count: use.names.length })}</b>
        {shown.length > 0 && (
          <small className="mono wrap-any">
            {shown.join(', ')}
            {rest > 0 && ` ${t('keysPage.more', { count: rest })}`}
          </small>
        )}
        {use.any.length > 0 && <small>{t('keysPage.any', { pipelines: use.any.join(', ') })}</small>}
      </span>
    </li>
  );
}
