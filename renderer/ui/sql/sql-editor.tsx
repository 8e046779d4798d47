import { Button } from '@mantine/core';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConnectionChoices, useDatabaseSchema } from '#api/definition-queries.ts';
import { CodeEditor, type CodeEditorProps } from '../code/code-editor.tsx';
import type { Word } from '../code/completions.ts';
import { Icon } from '../icon.tsx';
import { identifier, kindOf, tableIdentifier } from './identifiers.ts';
import { SchemaPane } from './schema-pane.tsx';
import './sql-editor.css';

interface Props extends Omit<CodeEditorProps, 'language' | 'inserter' | 'words' | 'onChange'> {
  project: string;
  connection: string;
  words: readonly (string | Word)[];
  onChange: (value: string) => void;
}

/** SQL with the tables of its database beside it: pressing a name inserts it. They are read when they are opened. */
export function SqlEditor({ project, connection, words, ...editing }: Props) {
  const { t } = useTranslation();
  const inserter = useRef<((text: string) => void) | null>(null);
  const [isOpen, setOpen] = useState(false);
  const schema = useDatabaseSchema(project, connection, isOpen);
  const kind = kindOf(connection, useConnectionChoices(project).data);
  const all = useMemo(() => {
    const tables = schema.data?.tables ?? [];
    return [
      ...words,
      ...tables.map((table) => tableIdentifier(table, kind)),
      ...tables.flatMap((table) =>
        table.columns.map(({ name, type }) => ({ label: identifier(name, kind), detail: `${table.name}, ${type}` })),
      ),
    ];
  }, [words, schema.data, kind]);
  return (
    <div className="sql-editor">
      <Button
        aria-expanded={isOpen}
        leftSection={<Icon name={isOpen ? 'down' : 'right'} small />}
        onClick={() => setOpen(!isOpen)}
      >
        {t('queries.schema.title')}
      </Button>
      <div className={isOpen ? 'sql-beside open' : 'sql-beside'}>
        <CodeEditor {...editing} language="sql" words={all} inserter={inserter} />
        {isOpen && <SchemaPane schema={schema} kind={kind} onInsert={(text) => inserter.current?.(text)} />}
      </div>
    </div>
  );
}
