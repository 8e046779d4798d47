import { useTranslation } from 'react-i18next';
import type { ProjectRecord } from '#common/model/records.ts';
import { NativeSelect } from './native-select.tsx';

/** Which project a page shows; nothing when there is but one. */
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
