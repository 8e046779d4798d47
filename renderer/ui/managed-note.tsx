import { useTranslation } from 'react-i18next';
import { useFleet, useFleetRole } from '#api/fleet-queries.ts';
import { useProjects } from '#api/queries.ts';
import { Note } from './note.tsx';

/** On an edge with a project of its hub: what the hub manages. On every other machine: nothing. */
export function ManagedNote() {
  const { t } = useTranslation();
  const fleet = useFleet(useFleetRole() === 'edge').data;
  const projects = useProjects().data ?? [];
  if (fleet?.role !== 'edge' || fleet.project === null) return null;
  const project = projects.find(({ id }) => id === fleet.project)?.name ?? fleet.project;
  return <Note>{t('fleet.onEdge.note', { hub: fleet.hub, project })}</Note>;
}
