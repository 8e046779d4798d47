import { Button, Menu, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useVariables, type Variable } from '#api/data-queries.ts';
import { usePermission } from '#api/session.ts';
import { Icon } from '#ui/icon.tsx';
import { LoadingRows } from '#ui/loading-rows.tsx';
import { NoticeLine, type Notice } from '#ui/notice-line.tsx';
import { Empty, Panel } from '#ui/panel.tsx';
import { Ago } from '#ui/time.tsx';
import { VirtualTable, type Column } from '#ui/virtual-table.tsx';
import { RowMenu } from '#ui/row-menu.tsx';
import { DataHead } from './data-head.tsx';
import { DeleteVariableDialog } from './delete-dialog.tsx';
import { VariableDialog } from './variable-dialog.tsx';

type Open = { kind: 'none' } | { kind: 'edit'; variable: Variable | null } | { kind: 'delete'; name: string };

/** The values that pipelines keep between runs. */
export function VariablesPart({ project }: { project: string }) {
  const { t } = useTranslation();
  const variables = useVariables(project);
  const mayEdit = usePermission('edit_pipelines');
  const [open, setOpen] = useState<Open>({ kind: 'none' });
  const [notice, setNotice] = useState<Notice | null>(null);
  const close = () => setOpen({ kind: 'none' });
  const create = () => setOpen({ kind: 'edit', variable: null });
  return (
    <>
      <DataHead
        answer={variables.data && t('data.variables.answer', { count: variables.data.length })}
        actions={
          mayEdit && (
            <Button variant="filled" leftSection={<Icon name="plus" />} onClick={create}>
              {t('data.variables.create')}
            </Button>
          )
        }
      />
      <LoadingRows of={variables} />
      <NoticeLine notice={notice} onClose={() => setNotice(null)} />
      {variables.data?.length === 0 && (
        <Panel>
          <Empty title={t('data.variables.empty')} help={t('data.variables.emptyHelp')}>
            {mayEdit && <Button onClick={create}>{t('data.variables.createFirst')}</Button>}
          </Empty>
        </Panel>
      )}
      {variables.data && variables.data.length > 0 && <VariableList variables={variables.data} onOpen={setOpen} />}
      {open.kind === 'edit' && (
        <VariableDialog
          project={project}
          variable={open.variable}
          taken={variables.data?.map(({ name }) => name) ?? []}
          onNotice={setNotice}
          onClose={close}
        />
      )}
      {open.kind === 'delete' && (
        <DeleteVariableDialog project={project} name={open.name} onNotice={setNotice} onClose={close} />
      )}
    </>
  );
}

interface ListProps {
  variables: readonly Variable[];
  onOpen: (open: Open) => void;
}

function VariableList({ variables, onOpen }: ListProps) {
  const { t } = useTranslation();
  const [find, setFind] = useState('');
  const shown = variables.filter(({ name }) => name.toLowerCase().includes(find.trim().toLowerCase()));
  return (
    <>
      <TextInput
        aria-label={t('data.variables.find')}
        placeholder={t('data.variables.find')}
        leftSection={<Icon name="search" />}
        value={find}
        onChange={(event) => setFind(event.currentTarget.value)}
      />
      <Panel className="fill data-list">
        <VirtualTable
          label={t('data.tab.variables')}
          rows={shown}
          keyOf={({ name }) => name}
          columns={useColumns(onOpen)}
        />
      </Panel>
    </>
  );
}

function useColumns(onOpen: (open: Open) => void): Column<Variable>[] {
  const { t } = useTranslation();
  const mayEdit = usePermission('edit_pipelines');
  const columns: Column<Variable>[] = [
    {
      key: 'name',
      head: t('data.variables.name'),
      least: 180,
      grow: 1,
      renderCell: (variable) => (
        <button type="button" className="row-link" onClick={() => onOpen({ kind: 'edit', variable })}>
          <b className="mono cut">{variable.name}</b>
        </button>
      ),
    },
    {
      key: 'value',
      head: t('data.value'),
      least: 200,
      grow: 2,
      renderCell: ({ value }) => <span className="mono cut">{JSON.stringify(value)}</span>,
    },
    {
      key: 'time',
      head: t('data.variables.changedAt'),
      least: 140,
      renderCell: ({ updatedAt }) => <Ago iso={updatedAt} />,
    },
  ];
  if (!mayEdit) return columns;
  return [
    ...columns,
    {
      key: 'acts',
      head: <span className="visually-hidden">{t('data.actions')}</span>,
      least: 72,
      number: true,
      card: 'acts',
      renderCell: (variable) => <VariableMenu variable={variable} onOpen={onOpen} />,
    },
  ];
}

function VariableMenu({ variable, onOpen }: { variable: Variable; onOpen: (open: Open) => void }) {
  const { t } = useTranslation();
  const { name } = variable;
  return (
    <RowMenu label={t('data.actionsOf', { name })}>
      <Menu.Item onClick={() => onOpen({ kind: 'edit', variable })}>{t('data.variables.change')}</Menu.Item>
      <Menu.Item onClick={() => onOpen({ kind: 'delete', name })}>{t('data.variables.delete')}</Menu.Item>
    </RowMenu>
  );
}
