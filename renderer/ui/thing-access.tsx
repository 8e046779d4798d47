import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UseKind } from '#common/model/key-reach.ts';
import type { ThingReach } from '#common/model/thing-reach.ts';
import { useThingReach } from '#api/key-queries.ts';
import { useKinds } from '#api/pipeline-queries.ts';
import { usePermission } from '#api/session.ts';
import { ErrorNote } from './error-note.tsx';
import { useKindText } from './kind-text/use-kind-text.ts';
import { Loading } from './loading.tsx';
import { RouteName } from './route-name.tsx';
import { Segments } from './segments.tsx';

interface Props {
  project: string;
  name: string;
  /** The uses to choose from, the first one initially. */
  uses: readonly [ThingUse, ...ThingUse[]];
}

type ThingUse = Exclude<UseKind, 'sendMessages' | 'callTargets'>;

/** Which keys, pipelines and users can use a thing, such as write a tag; nothing without the permission for keys. */
export function ThingAccess({ project, name, uses }: Props) {
  const { t } = useTranslation();
  const allowed = usePermission('manage_keys');
  const [what, setWhat] = useState<ThingUse>(uses[0]);
  const reach = useThingReach(project, what, name, allowed);
  if (!allowed) return null;
  return (
    <section className="stack" aria-label={t('keyLimits.thing.title')}>
      <h3>{t('keyLimits.thing.title')}</h3>
      {uses.length > 1 && (
        <Segments
          label={t('keyLimits.thing.choose')}
          value={what}
          options={uses.map((value) => ({ value, label: t(`keyLimits.thing.use.${value}`) }))}
          onChange={setWhat}
        />
      )}
      {reach.isError && <ErrorNote error={reach.error} />}
      <Loading of={reach} />
      {reach.data && <Reaching {...reach.data} />}
    </section>
  );
}

function Reaching({ keys, pipelines, people }: ThingReach & { people: string[] | null }) {
  const { t } = useTranslation();
  const kinds = useKinds().data;
  const kindText = useKindText();
  const titleOf = (kind: string) => kindText(kinds?.get(kind)?.title ?? kind);
  return (
    <>
      {keys.length + pipelines.length === 0 && <p className="t2">{t('keyLimits.thing.none')}</p>}
      <ul className="list read flush">
        {keys.map(({ id, name, routes }) => (
          <li key={id}>
            <span className="two grow">
              <b className="strong">{t('keyLimits.thing.key', { name })}</b>
              {routes.map(({ pipeline, method, pattern, named }) => (
                <small key={`${pipeline} ${method} ${pattern}`}>
                  <RouteName method={method} pattern={pattern} /> {!named && t('keyLimits.thing.chosen')}
                </small>
              ))}
            </span>
          </li>
        ))}
        {pipelines.map(({ id, name, start, named }) => (
          <li key={`${id} ${start}`}>
            <span className="two grow">
              <b className="strong">{t('keyLimits.thing.pipeline', { name })}</b>
              <small>
                {start === 'rest-api'
                  ? t('keyLimits.thing.public')
                  : t('keyLimits.thing.started', { start: titleOf(start) })}{' '}
                {!named && t('keyLimits.thing.chosen')}
              </small>
            </span>
          </li>
        ))}
      </ul>
      {people !== null && (
        <p>{t('keyLimits.thing.people', { names: people.join(', ') || t('keyLimits.thing.nobody') })}</p>
      )}
      <p className="t3">{t('keyLimits.thing.how')}</p>
    </>
  );
}
