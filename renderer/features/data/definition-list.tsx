import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { usePermission } from '#api/session.ts';
import { Chip } from '#ui/chip.tsx';
import { Icon } from '#ui/icon.tsx';
import { Empty, Panel } from '#ui/panel.tsx';
import type { User } from './users.ts';

/** Common parts of named queries and library scripts: the button for a new one, the empty list, the users in a row. */
export function NewButton({ label, onClick }: { label: string; onClick: () => void }) {
  const mayEdit = usePermission('edit_pipelines');
  if (!mayEdit) return null;
  return (
    <Button variant="filled" leftSection={<Icon name="plus" />} onClick={onClick}>
      {label}
    </Button>
  );
}

export function NoDefinitions(texts: { title: string; help: string; act: string; onNew: () => void }) {
  const mayEdit = usePermission('edit_pipelines');
  return (
    <Panel>
      <Empty title={texts.title} help={texts.help}>
        {mayEdit && <Button onClick={texts.onNew}>{texts.act}</Button>}
      </Empty>
    </Panel>
  );
}

export function UsedBy({ users }: { users: readonly User[] }) {
  const { t } = useTranslation();
  if (users.length === 0) return <span className="t3">{t('data.users.none')}</span>;
  return users.map(({ name }) => name).join(', ');
}

interface OpenProps {
  id: string;
  description: string;
  /** The saved version is not active. */
  isDraft: boolean;
  onOpen: () => void;
}

/** In a row's first cell: opens the editor. */
export function OpenButton({ id, description, isDraft, onOpen }: OpenProps) {
  const { t } = useTranslation();
  return (
    <button type="button" className="row-link" onClick={onOpen}>
      <span className="two">
        <b className="mono">{id}</b>
        {description !== '' && <small>{description}</small>}
      </span>
      {isDraft && <Chip shape="starting">{t('data.draft.chip')}</Chip>}
    </button>
  );
}
