import { useSearchParams } from 'wouter';
import type { ProjectRecord } from '#common/model/records.ts';
import { useProjects } from './queries.ts';

const STORED = 'sluice.project';

/**
 * The project that pages show: the one in the address (`?project=`), else the one that was last selected in this
 * browser, else the first. Null while projects are loaded or if there are none.
 */
export function useChosenProject(): {
  project: ProjectRecord | null;
  projects: ProjectRecord[] | undefined;
  choose: (id: string) => void;
  error: Error | null;
  /** The request for the projects. */
  query: Pick<ReturnType<typeof useProjects>, 'isPending' | 'refetch' | 'error'>;
} {
  const query = useProjects();
  const { data: projects, error } = query;
  const [search, setSearch] = useSearchParams();
  const wanted = [search.get('project'), localStorage.getItem(STORED)];
  const found = wanted.map((id) => projects?.find((project) => project.id === id)).find(Boolean);
  return {
    project: found ?? projects?.[0] ?? null,
    projects,
    // A list is kept until it can be loaded again: an error would remove the page with its dialogs.
    error: projects === undefined ? error : null,
    query,
    choose: (id) => {
      localStorage.setItem(STORED, id);
      setSearch((before) => {
        before.set('project', id);
        return before;
      });
    },
  };
}
