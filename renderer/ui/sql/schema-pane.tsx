import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DatabaseTable } from '#common/model/database-schema.ts';
import type { useDatabaseSchema } from '#api/definition-queries.ts';
import { ErrorNote } from '../error-note.tsx';
import { Icon } from '../icon.tsx';
import { Loading } from '../loading.tsx';
import { identifier, type SqlKind, tableIdentifier } from './identifiers.ts';

interface Props {
  schema: ReturnType<typeof useDatabaseSchema>;
  kind: SqlKind;
  onInsert: (text: string) => void;
}

const TABLES_SHOWN_MAX = 200;

/** Tables and columns of a database. */
export function SchemaPane({ schema, kind, onInsert }: Props) {
  const { t } = useTranslation();
  const [find, setFind] = useState('');
  const again = () => void schema.refetch();
  const found = (schema.data?.tables ?? []).filter((table) => fits(table, find));
  return (
    <section className="schema-pane" aria-label={t('queries.schema.title')}>
      <Loading of={schema} />
      {schema.isError && <ErrorNote error={schema.error} title={t('queries.schema.failed')} />}
      {!schema.isPending && (
        <div className="row">
          <TextInput
            className="grow"
            aria-label={t('queries.schema.find')}
            placeholder={t('queries.schema.find')}
            value={find}
            onChange={(event) => setFind(event.currentTarget.value)}
          />
          <Button
            variant="subtle"
            className="square"
            aria-label={t('queries.schema.again')}
            loading={schema.isFetching}
            onClick={again}
          >
            <Icon name="rotate" />
          </Button>
        </div>
      )}
      {schema.data?.tables.length === 0 && <p className="t2">{t('queries.schema.none')}</p>}
      {schema.data && schema.data.tables.length > 0 && found.length === 0 && (
        <p className="t2">{t('queries.schema.noneFound')}</p>
      )}
      <ul>
        {found.slice(0, TABLES_SHOWN_MAX).map((table) => (
          <Table key={`${table.schema} ${table.name}`} {...{ table, kind, onInsert }} />
        ))}
      </ul>
      {(found.length > TABLES_SHOWN_MAX || schema.data?.truncated) && (
        <p className="t3">{t('queries.schema.notAll')}</p>
      )}
    </section>
  );
}

/** By a part of the name of the table or of one of its columns. */
function fits({ schema, name, columns }: DatabaseTable, find: string): boolean {
  const text = find.trim().toLowerCase();
  return [schema ?? '', name, ...columns.map((column) => column.name)].some((one) => one.toLowerCase().includes(text));
}

function Table({ table, kind, onInsert }: { table: DatabaseTable } & Omit<Props, 'schema'>) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const name = tableIdentifier(table, kind);
  return (
    <li>
      <div className="schema-table">
        <Button
          variant="subtle"
          className="square"
          aria-expanded={isOpen}
          aria-label={t('queries.schema.columnsOf', { name })}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'down' : 'right'} small />
        </Button>
        <Name name={name} onInsert={onInsert} />
      </div>
      {isOpen && (
        <ul>
          {table.columns.map((column) => (
            <li key={column.name}>
              <Name name={identifier(column.name, kind)} type={column.type} onInsert={onInsert} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function Name({ name, type, onInsert }: { name: string; type?: string; onInsert: (text: string) => void }) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className="line-button schema-name"
      aria-label={t('queries.schema.insert', { name })}
      title={name}
      onClick={() => onInsert(name)}
    >
      <span className="mono cut">{name}</span>
      {type !== undefined && <small className="t3 cut">{type}</small>}
    </button>
  );
}
