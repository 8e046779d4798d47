import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { listOf, remediesOf } from '#common/errors/explanation.ts';
import type { Explanation } from '#common/errors/refusals.ts';
import { type Place, REMEDIES } from '#common/errors/remedies.ts';
import type { Refusal } from '#common/model/audit.ts';
import type { Permission } from '#common/model/records.ts';
import type { RouteList, RouteRecord } from '#common/model/route-record.ts';
import { useRoutes } from '#api/routes-queries.ts';
import { usePermission } from '#api/session.ts';
import { curlCall } from '#ui/calls/curl.ts';
import { callPlan } from '#ui/calls/plan.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { Coded } from './coded.tsx';
import { asksForScopes } from './refusal-words.ts';

interface Props {
  refusal: Refusal;
  explanation: Explanation;
  /** The values in the sentences. */
  values: Record<string, string>;
}

/** The remedies, each with a button that leads there for users with the permission. */
export function Fixes({ refusal, explanation, values }: Props) {
  const { t } = useTranslation();
  const list = useRoutes().data;
  const scopes = asksForScopes(explanation);
  return (
    <ul className="fixes">
      {scopes && list && <CallOther refusal={refusal} list={list} />}
      {scopes && <MoreScopes refusal={refusal} routes={list?.items ?? []} />}
      {remediesOf(explanation)
        // With preselected scopes: see MoreScopes.
        .filter((name) => name !== 'createKey')
        .map((name) => ({ name, place: REMEDIES[name].place }))
        .map(({ name, place }) => (
          <Fix
            key={name}
            title={t(`errors.remedies.${name}.title`, { ...values, defaultValue: name })}
            help={t(`errors.remedies.${name}.help`, { ...values, defaultValue: '' })}
            act={t(`errors.remedies.${name}.act`)}
            place={place}
            href={place && addressOf(place, refusal, list?.items ?? [])}
          />
        ))}
    </ul>
  );
}

const NEEDED = {
  key: 'manage_keys',
  gateway: 'access_settings',
  route: 'edit_pipelines',
  pipeline: 'edit_pipelines',
  tags: 'edit_pipelines',
  pipelines: 'view',
  routes: 'view',
  overview: 'view',
} as const satisfies Record<Place, Permission>;

interface FixProps {
  title: string;
  help: string;
  act: string;
  place: Place | null;
  href: string | null;
}

function Fix({ title, help, act, place, href }: FixProps) {
  const { t } = useTranslation();
  const needed = place === null ? 'view' : NEEDED[place];
  const allowed = usePermission(needed);
  const lacking = allowed || needed === 'view' ? '' : t(`journalPage.needs.${needed}`);
  return (
    <FixLine title={title} help={`${help} ${lacking}`.trim()}>
      {allowed && href !== null && (
        <Button component={Link} href={href}>
          {act}
        </Button>
      )}
    </FixLine>
  );
}

function FixLine({ title, help, children }: { title: string; help: string; children?: ReactNode }) {
  return (
    <li>
      <span className="two grow">
        <b>{title}</b>
        {help !== '' && (
          <small>
            <Coded text={help} />
          </small>
        )}
      </span>
      {children}
    </li>
  );
}

/** The page on which it is done; null if the refusal does not determine it. */
function addressOf(place: Place, { project, pipeline, compared, ...call }: Refusal, routes: readonly RouteRecord[]) {
  switch (place) {
    case 'key': {
      const of = String(compared['routeProject'] ?? project ?? '');
      return `/settings/api-keys?${new URLSearchParams({ project: of, create: '' }).toString()}`;
    }
    case 'gateway':
      return '/settings/gateway';
    case 'tags':
      return '/data/tags';
    case 'overview':
      return '/';
    case 'routes':
      return '/routes';
    case 'pipelines':
      return '/pipelines';
    case 'pipeline':
      return project === undefined || pipeline === undefined ? null : pipelineAddress(project, pipeline);
    case 'route': {
      const found = routes.find(
        (one) =>
          one.project === project &&
          one.pipeline === pipeline &&
          one.pattern === call.route &&
          (one.method === '*' || one.method === call.method),
      );
      return found === undefined ? null : `/routes?${new URLSearchParams({ route: routeKey(found) }).toString()}`;
    }
  }
}

const pipelineAddress = (project: string, pipeline: string) =>
  `/pipelines/${encodeURIComponent(project)}/${encodeURIComponent(pipeline)}`;
const routeKey = ({ project, pipeline, node }: RouteRecord) => `${project}/${pipeline}/${node}`;

/** Running routes of the project that a key with these scopes can call. */
function openedBy(scopes: readonly string[], project: string | undefined, routes: readonly RouteRecord[]) {
  return routes.filter(
    (one) => one.project === project && one.answers && one.requiredScopes.every((scope) => scopes.includes(scope)),
  );
}

/** A route that this key can call: read-only ones and similar ones first. */
function CallOther({ refusal, list }: { refusal: Refusal; list: RouteList }) {
  const { t } = useTranslation();
  const held = listOf(refusal.compared['held']);
  const opened = openedBy(held, refusal.project, list.items).filter(
    (one) => one.authType === 'api_key' && one.pattern.split('/:')[0] === refusal.route?.split('/:')[0],
  );
  const other = opened.find(({ method }) => method === 'GET') ?? opened[0];
  if (other === undefined) return null;
  const { method, pattern } = other;
  const text = curlCall(callPlan({ method, pattern, isPublic: false }, list), '<API-KEY>');
  return (
    <FixLine
      title={t('journalPage.fix.callOther.title')}
      help={t('journalPage.fix.callOther.help', { route: `${method} ${pattern}` })}
    >
      <CopyButton text={text} label={t('journalPage.fix.callOther.act')} />
    </FixLine>
  );
}

/** A key with its scopes and the missing ones, and how many routes it could call with them. */
function MoreScopes({ refusal, routes }: { refusal: Refusal; routes: readonly RouteRecord[] }) {
  const { t } = useTranslation();
  const { project, compared } = refusal;
  const held = listOf(compared['held']);
  const missing = listOf(compared['missing']);
  const all = [...new Set([...held, ...missing])];
  const more = openedBy(all, project, routes).length - openedBy(held, project, routes).length;
  const address = new URLSearchParams({ project: project ?? '', create: all.join(',') });
  return (
    <Fix
      title={t('errors.remedies.createKey.title', { missing: missing.join(', ') })}
      help={more > 0 ? t('journalPage.fix.createKeyOpens', { count: more }) : ''}
      act={t('errors.remedies.createKey.act')}
      place="key"
      href={`/settings/api-keys?${address.toString()}`}
    />
  );
}
