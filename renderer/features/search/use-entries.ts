import { useQueries, useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { connectionsOf } from '#api/connections-queries.ts';
import { tagsOf } from '#api/data-queries.ts';
import { definitionsOf } from '#api/definition-queries.ts';
import { useEveryKey, usePipelines, useProjects } from '#api/queries.ts';
import { useRoutes } from '#api/routes-queries.ts';
import { usePermission } from '#api/session.ts';
import { askedOf } from '#ui/search-text.ts';
import type { Entry, Group } from './entries.ts';
import { guidesIn } from './guides.ts';
import { usePageEntries } from './use-page-entries.ts';

/** More projects than that are not searched for tags, queries and connections: each is a call of its own. */
const PROJECTS_MAX = 50;
const DOCS = '/docs/';

/** Projects of which only pipelines, routes and keys are searched. */
export function useProjectsLeftOut(): number {
  return Math.max(0, (useProjects().data?.length ?? 0) - PROJECTS_MAX);
}

/** All that the user may open, from the lists that the service gives; those that are still read are empty. */
export function useEntries(query: string): Record<Group, Entry[]> {
  const { t } = useTranslation();
  const mayKeys = usePermission('manage_keys');
  const mayAudit = usePermission('view_audit');
  const projects = useProjects().data ?? [];
  const nameOf = (id: string) => projects.find((project) => project.id === id)?.name ?? id;
  const pipelines = usePipelines().data ?? [];
  const routes = useRoutes().data?.items ?? [];
  const keys = useEveryKey(mayKeys).data ?? [];
  return {
    request: mayAudit ? requestEntries(t, query) : [],
    pages: usePageEntries(),
    pipelines: pipelines.map(({ project, id, name }) => ({
      id: `${project}/${id}`,
      label: name,
      note: nameOf(project),
      words: id,
      href: `/pipelines/${project}/${id}`,
    })),
    routes: routes.map(({ project, pipeline, node, method, pattern, pipelineName }) => ({
      id: `${project}/${pipeline}/${node}`,
      label: `${method} ${pattern}`,
      note: `${pipelineName}, ${nameOf(project)}`,
      words: pattern.replaceAll('/', ' '),
      href: `/routes?${new URLSearchParams({ route: `${project}/${pipeline}/${node}` })}`,
    })),
    keys: keys.map(({ project, id, name }) => ({
      id,
      label: name,
      note: `slc_${id}_…, ${nameOf(project)}`,
      words: `slc_${id}`,
      href: `/settings/api-keys?${new URLSearchParams({ project, key: id })}`,
    })),
    ...useProjectEntries(projects.slice(0, PROJECTS_MAX)),
    guides: useGuideEntries(),
  };
}

/** A request ID leads to its row, a key that was pasted to its calls; only its id is kept. */
function requestEntries(t: TFunction, query: string): Entry[] {
  const asked = askedOf(query);
  if (asked.kind === 'request')
    return [
      {
        id: asked.value,
        label: t('search.explain', { id: asked.value }),
        note: t('journal.title'),
        href: `/journal?${new URLSearchParams({ find: asked.value, why: asked.value })}`,
      },
    ];
  if (asked.kind !== 'key') return [];
  const label = t('search.keyCalls', { id: asked.value });
  return [{ id: asked.value, label, note: t('journal.title'), href: `/journal?keyId=${asked.value}` }];
}

type Project = { id: string; name: string };

function useProjectEntries(
  projects: readonly Project[],
): Pick<Record<Group, Entry[]>, 'tags' | 'queries' | 'connections'> {
  const maySettings = usePermission('access_settings');
  const tags = useQueries({ queries: projects.map(({ id }) => tagsOf(id)) });
  const queries = useQueries({ queries: projects.map(({ id }) => definitionsOf(id, 'queries')) });
  const connections = useQueries({
    queries: maySettings ? projects.map(({ id }) => connectionsOf(id)) : [],
  });
  const entries = <T>(
    lists: readonly { data?: readonly T[] | undefined }[],
    make: (item: T, project: Project) => Omit<Entry, 'id' | 'note'> & { own: string },
  ) =>
    projects.flatMap((project, index) =>
      (lists[index]?.data ?? []).map((item) => {
        const { own, ...rest } = make(item, project);
        return { id: `${project.id}/${own}`, note: project.name, ...rest };
      }),
    );
  return {
    tags: entries(tags, ({ path, title }, { id }) => ({
      own: path,
      label: path,
      words: `${title} ${path.replaceAll('/', ' ')}`,
      href: `/data/tags?${new URLSearchParams({ project: id, tag: path })}`,
    })),
    queries: entries(queries, (query, { id }) => ({
      own: query.id,
      label: query.id,
      words: query.description,
      href: `/data/queries?${new URLSearchParams({ project: id, open: query.id })}`,
    })),
    connections: entries(connections, (connection, { id }) => ({
      own: connection.id,
      label: connection.name,
      words: connection.id,
      href: `/settings/connections?${new URLSearchParams({ project: id })}`,
    })),
  };
}

/** The documentation that comes with Sluice; none where its pages are not built. */
function useGuideEntries(): Entry[] {
  const { data = [] } = useQuery({ queryKey: ['guides'], queryFn: readGuides, staleTime: Infinity, retry: false });
  return data;
}

async function readGuides({ signal }: { signal: AbortSignal }): Promise<Entry[]> {
  const response = await fetch(DOCS, { signal });
  if (!response.ok) return [];
  return guidesIn(new DOMParser().parseFromString(await response.text(), 'text/html'), DOCS);
}
