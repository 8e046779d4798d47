import { useTranslation } from 'react-i18next';
import { useRoutes } from '#api/routes-queries.ts';
import { useTraffic } from '#api/traffic-queries.ts';
import { CodeBlock } from '#ui/code-block.tsx';
import { curlCall } from '#ui/calls/curl.ts';
import { callPlan } from '#ui/calls/plan.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { routesOf } from '#ui/routes-of.ts';
import { Ago } from '#ui/time.tsx';
import type { DraftNode } from '../model/draft.ts';
import { useFormContext } from '#ui/form/form-context.tsx';

const KEY = '<API key>';

/** For a node that publishes a route: its full address, a call to copy, and the last caller. */
export function RouteFacts({ node }: { node: DraftNode }) {
  const { t } = useTranslation();
  const gateway = useRoutes().data;
  const [route] = routesOf({ nodes: [node] });
  if (gateway === undefined || route === undefined) return null;
  return (
    <section className="route-facts" aria-labelledby="route-facts-title">
      <h3 id="route-facts-title">{t('editorForm.route.title')}</h3>
      <p className="row">
        <code className="grow break">{gateway.address + route.pattern}</code>
        <CopyButton text={gateway.address + route.pattern} />
      </p>
      <LastCall node={node.id} />
      <CodeBlock title="curl" code={curlCall(callPlan(route, gateway), KEY)} />
    </section>
  );
}

function LastCall({ node }: { node: string }) {
  const { t } = useTranslation();
  const { project, pipeline } = useFormContext();
  const route = useTraffic('15m').data?.routes.find(
    (one) => one.project === project && one.pipeline === pipeline && one.node === node,
  );
  if (route === undefined) return <p className="t3">{t('editorForm.route.draft')}</p>;
  const { lastCall } = route;
  if (lastCall === null) return <p className="t3">{t('editorForm.route.silent')}</p>;
  return (
    <p className="t2">
      {t('editorForm.route.last', { caller: lastCall.name ?? lastCall.ip })} <Ago iso={lastCall.at} />
    </p>
  );
}
