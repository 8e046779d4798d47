import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useProjects } from '#api/queries.ts';
import { Icon } from './icon.tsx';
import { NativeSelect } from './native-select.tsx';

interface Props {
  /** The search target; label and placeholder of the field. */
  label: string;
  /** The searched texts. */
  help: string;
  find: string;
  /** The ID of the selected project; empty: all projects. */
  project: string;
  /** The number of shown entries, as text. */
  shown: string;
  onChange: (patch: { find: string } | { project: string }) => void;
}

/** Above a long list: a search field, and a project selector if there are several. */
export function FindRow({ label, help, find, project, shown, onChange }: Props) {
  const { t } = useTranslation();
  const projects = useProjects().data ?? [];
  const options = projects.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <search className="row wrap">
      <TextInput
        className="grow"
        aria-label={label}
        placeholder={label}
        title={help}
        leftSection={<Icon name="search" />}
        value={find}
        onChange={(event) => onChange({ find: event.currentTarget.value })}
      />
      {projects.length > 1 && (
        <NativeSelect
          label={t('routes.projectFilter')}
          value={project}
          options={[{ value: '', label: t('routes.everyProject') }, ...options]}
          onChange={(chosen) => onChange({ project: chosen })}
        />
      )}
      <output className="t2">{shown}</output>
    </search>
  );
}
