import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import type { RouteRecord } from '#common/model/route-record.ts';
import { useCreateKey, useKeys, type NewKey } from '#api/queries.ts';
import { useRoute, useRoutes } from '#api/routes-queries.ts';
import { rememberSetup, type SetupProgress } from '#api/setup-progress.ts';
import { CertificateFile } from '#ui/calls/certificate-file.tsx';
import { curlCall } from '#ui/calls/curl.ts';
import { keyCommandOf } from '#ui/calls/languages.ts';
import { planOf } from '#ui/calls/plan.ts';
import { CodeBlock } from '#ui/code-block.tsx';
import { ErrorNote } from '#ui/error-note.tsx';
import { useFirstFocus } from '#ui/first-focus.ts';
import { FirstCall } from '#ui/first-call.tsx';
import { Icon } from '#ui/icon.tsx';
import { KeyValue } from '#ui/key-value.tsx';
import { Note } from '#ui/note.tsx';
import { RouteName } from '#ui/route-name.tsx';

/** The last step: a key for a route of the sample project, the call, and a check mark when it has arrived. */
export function FirstCallStep({ progress }: { progress: SetupProgress }) {
  const { t } = useTranslation();
  const heading = useFirstFocus<HTMLHeadingElement>();
  const routes = useRoutes();
  const create = useCreateKey();
  const project = progress.project ?? '';
  const keys = useKeys(project).data ?? [];
  const route = routeToCall(routes.data?.items ?? [], project);
  const made = create.data;
  const lastUsedAt = keys.find(({ id }) => id === made?.record.id)?.lastUsedAt ?? null;
  const name = freeName(t('setupPage.call.keyName'), new Set(keys.map((key) => key.name)));
  const error = routes.error ?? create.error;
  return (
    <section className="stack">
      <div>
        <h2 tabIndex={-1} ref={heading}>
          {t('setupPage.call.heading')}
        </h2>
        {route && <p className="t2">{t('setupPage.call.lead', { route: `${route.method} ${route.pattern}` })}</p>}
      </div>
      {routes.data && route === undefined && <Note>{t('setupPage.call.noRoute')}</Note>}
      {route && made === undefined && (
        <div className="row wrap">
          <RouteName method={route.method} pattern={route.pattern} />
          <span className="grow" />
          <Button
            variant="filled"
            leftSection={<Icon name="key" />}
            loading={create.isPending}
            onClick={() => create.mutate({ project, name, scopes: route.requiredScopes })}
          >
            {t('setupPage.call.create')}
          </Button>
        </div>
      )}
      {route && made && <Call route={route} made={made} lastUsedAt={lastUsedAt} />}
      {error !== null && <ErrorNote error={error} />}
      <Foot isDone={lastUsedAt !== null} />
    </section>
  );
}

/** The first GET route that needs a key, so that no body has to be sent. */
function routeToCall(routes: readonly RouteRecord[], project: string): RouteRecord | undefined {
  const keyed = routes.filter((route) => route.project === project && route.answers && route.authType === 'api_key');
  const plain = keyed.filter(({ method, pattern }) => method === 'GET' && !pattern.includes('/:'));
  return plain[0] ?? keyed[0];
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) if (!taken.has(`${name} ${number}`)) return `${name} ${number}`;
}

interface CallProps {
  route: RouteRecord;
  made: NewKey;
  lastUsedAt: string | null;
}

function Call({ route, made, lastUsedAt }: CallProps) {
  const { t } = useTranslation();
  const detail = useRoute(route).data;
  if (detail === undefined) return null;
  const plan = planOf({ ...detail, queryNames: [] });
  return (
    <>
      <p className="t2">{t('setupPage.call.keyOnce')}</p>
      <KeyValue value={made.key} name={made.record.name} />
      {plan.ownCertificate && <CertificateFile />}
      <CodeBlock title={t('setupPage.call.ask')} code={keyCommandOf('curl') ?? ''} />
      <CodeBlock title={t('setupPage.call.run')} code={curlCall(plan)} />
      <FirstCall lastUsedAt={lastUsedAt} />
    </>
  );
}

function Foot({ isDone }: { isDone: boolean }) {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const end = () => {
    rememberSetup(null);
    go('/');
  };
  return (
    <div className="act">
      <Button variant={isDone ? 'filled' : 'default'} onClick={end}>
        {t(isDone ? 'setupPage.call.done' : 'setupPage.call.skip')}
      </Button>
    </div>
  );
}
