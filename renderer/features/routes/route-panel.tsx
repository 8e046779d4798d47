import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { RouteDetail, RouteRecord } from '#common/model/route-record.ts';
import { useRoute } from '#api/routes-queries.ts';
import { isApiError } from '#api/problem.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { ErrorNote } from '#ui/error-note.tsx';
import { Fact } from '#ui/fact.tsx';
import { useFirstFocus } from '#ui/first-focus.ts';
import { Icon } from '#ui/icon.tsx';
import { CloseButton } from '#ui/icon-button.tsx';
import { Loading } from '#ui/loading.tsx';
import { Note } from '#ui/note.tsx';
import { RouteName } from '#ui/route-name.tsx';
import { Ago } from '#ui/time.tsx';
import { CallTabs } from './call-tabs.tsx';
import { ConnectionCardDialog } from './connection-card-dialog.tsx';
import { RouteState } from './route-table.tsx';
import { useControlWords } from './control-words.ts';
import { useConsumers } from './use-consumers.ts';

interface Props {
  /** Project, pipeline and node, as in the address. */
  name: string;
  /** As in the list; undefined: it is not in the list. */
  route: RouteRecord | undefined;
  onClose: () => void;
}

/** Beside the list from 1600 px on, above its right part below that. Escape closes it. */
export function RoutePanel({ name, route, onClose }: Props) {
  const { t } = useTranslation();
  const heading = useFirstFocus<HTMLHeadingElement>();
  const panel = useEscape(onClose);
  const [project = '', pipeline = '', node = ''] = name.split('/');
  const detail = useRoute({ project, pipeline, node });
  const shown = detail.data?.route ?? route;
  return (
    <aside className="panel route-panel" aria-label={shown ? `${shown.method} ${shown.pattern}` : name} ref={panel}>
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {shown ? <RouteName method={shown.method} pattern={shown.pattern} /> : name}
        </h2>
        <CloseButton onClick={onClose} />
      </header>
      <div className="scroll body stack">
        <Loading of={detail} />
        {detail.isError &&
          (isApiError(detail.error, 'unknown') ? <Note>{t('routes.gone')}</Note> : <ErrorNote error={detail.error} />)}
        {detail.data && <Details detail={detail.data} />}
      </div>
    </aside>
  );
}

/** Escape inside the panel, but not inside a dialog that was opened from it and is elsewhere in the page. */
function useEscape(onEscape: () => void) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    const panel = ref.current;
    const hear = (event: KeyboardEvent) => event.key === 'Escape' && onEscape();
    panel?.addEventListener('keydown', hear);
    return () => panel?.removeEventListener('keydown', hear);
  }, [onEscape]);
  return ref;
}

function Details({ detail }: { detail: RouteDetail }) {
  const { t } = useTranslation();
  const { route, address } = detail;
  const [printing, setPrinting] = useState(false);
  return (
    <>
      <div className="row wrap">
        <RouteState route={route} />
        <Link href={`/pipelines/${route.project}/${route.pipeline}`} className="touch">
          {route.pipelineName}
        </Link>
        <span className="grow" />
        <Button onClick={() => setPrinting(true)}>{t('routes.card.open')}</Button>
      </div>
      <StateNotes route={route} />
      <section>
        <h3>{t('routes.address')}</h3>
        <div className="row wrap">
          <code className="grow break">{address + route.pattern}</code>
          <CopyButton text={address + route.pattern} />
        </div>
      </section>
      <CallTabs detail={detail} />
      <Controls route={route} />
      <ConsumersPart route={route} />
      {printing && <ConnectionCardDialog detail={detail} onClose={() => setPrinting(false)} />}
    </>
  );
}

function StateNotes({ route }: { route: RouteRecord }) {
  const { t } = useTranslation();
  const { draft, state, answers, unreadable } = route;
  return (
    <>
      {draft !== 'same' && <Note>{t(`routes.draft.${draft}`)}</Note>}
      {!answers && draft !== 'added' && (
        <Note kind={state === 'failed' ? 'warning' : 'plain'}>
          {t(state === 'failed' ? 'routes.failedNote' : 'routes.notRunning')}
        </Note>
      )}
      {unreadable.length > 0 && <Note kind="warning">{t('routes.invalidNote', { names: unreadable.join(', ') })}</Note>}
    </>
  );
}

function Controls({ route }: { route: RouteRecord }) {
  const { t } = useTranslation();
  const words = useControlWords(route);
  return (
    <section className="stack tight">
      <h3>{t('routes.controls')}</h3>
      <dl className="facts">
        {words.map(({ name, text }) => (
          <Fact key={name} name={t(`routes.control.${name}`)}>
            {text}
          </Fact>
        ))}
      </dl>
    </section>
  );
}

function ConsumersPart({ route }: { route: RouteRecord }) {
  const { t } = useTranslation();
  const { keysOf, lastCallOf, callsKnown } = useConsumers([route]);
  const call = lastCallOf(route);
  const keys = keysOf(route);
  return (
    <section className="stack tight">
      <h3>{t('routes.consumers.title')}</h3>
      <dl className="facts">
        <Fact name={t('routes.consumers.may')}>
          {route.authType === 'none' && t('routes.consumers.everybody')}
          {route.authType !== 'none' && keys === null && <span className="t3">{t('routes.consumers.hidden')}</span>}
          {route.authType !== 'none' && keys !== null && (
            <>
              {keys.length === 0 ? t('routes.consumers.nobody') : keys.map(({ name }) => name).join(', ')}{' '}
              <Link href={`/settings/api-keys?project=${route.project}`}>{t('routes.consumers.toKeys')}</Link>
            </>
          )}
        </Fact>
        {callsKnown && (
          <Fact name={t('routes.consumers.last')}>
            {call ? (
              <>
                {t('routes.consumers.from', { name: call.name ?? t('routes.anonymous'), ip: call.ip })},{' '}
                <Ago iso={call.at} />
              </>
            ) : (
              <span className="t3">{t('routes.noCalls')}</span>
            )}
          </Fact>
        )}
      </dl>
      {keys !== null && route.authType !== 'none' && (
        <Button component={Link} href={createKeyPath(route)} leftSection={<Icon name="key" />} className="start">
          {t('routes.consumers.createKey')}
        </Button>
      )}
    </section>
  );
}

/** Opens the form for a key with the scopes of this route, and passes on the route. */
function createKeyPath({ project, method, pattern, requiredScopes }: RouteRecord): string {
  const wish = { project, create: requiredScopes.join(','), route: `${method} ${pattern}` };
  return `/settings/api-keys?${new URLSearchParams(wish).toString()}`;
}
