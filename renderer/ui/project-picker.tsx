import { useTranslation } from 'react-i18next';
import type { ProjectRecord } from '#common/model/records.ts';
import { NativeSelect } from './native-select.tsx';

/** Selects the project that a page shows; renders nothing if there is only one. */
export function ProjectPicker({
  project,
  projects,
  choose,
}: {
  project: ProjectRecord;
  projects: readonly ProjectRecord[];
  choose: (id: string) => void;
}) {
  const { t } = useTranslation();
  if (projects.length < 2) return null;
  return (
    <NativeSelect
      label={t('common.project')}
      value={project.id}
      options={projects.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={choose}
    />
  );
}
