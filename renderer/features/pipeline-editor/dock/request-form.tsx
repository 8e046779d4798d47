import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeEditor } from '#ui/code/code-editor.tsx';
import { FieldFault } from '#ui/field-error.tsx';
import { TextField } from '#ui/form-fields.tsx';
import { TabList } from './tab-list.tsx';
import type { Entry, TestRequest } from './test-request.ts';
import { readQuery } from './test-request.ts';
import type { TestForm } from './use-test-form.ts';

interface Props {
  form: TestForm;
  entry: Entry;
  request: TestRequest;
}
type Part = 'body' | 'path' | 'query' | 'headers';

const PANEL = 'test-request-part';

/** The parts of the request as tabs, so that each has enough room. */
export function RequestForm({ form, entry, request }: Props) {
  const { t } = useTranslation();
  const { route } = entry;
  const [chosen, setPart] = useState<Part>('body');
  const isFaulty = form.state.kind === 'faulty';
  const parts: Part[] =
    route === null ? ['body'] : ['body', ...(route.params.length > 0 ? PATH : []), 'query', 'headers'];
  // Without its tab, or with a fault in it, the body is shown.
  const part = isFaulty || !parts.includes(chosen) ? 'body' : chosen;
  const set = (change: Partial<TestRequest>) => form.setRequest({ ...request, ...change });
  const fields = { entry, request, onChange: set };
  return (
    <div className="request-form">
      <div className="row request-tabs">
        <TabList
          label={t('editorDock.testing.parts')}
          tabs={parts.map((name) => ({
            name,
            label: t(`editorDock.testing.part.${name === 'body' && route === null ? 'payload' : name}`),
            count: countOf(name, request),
          }))}
          value={part}
          id={PANEL}
          panel={PANEL}
          onChange={setPart}
        />
        <span className="grow" />
        {part === 'body' && (
          <Button variant="subtle" onClick={() => form.begin(entry.node)}>
            {t('editorDock.testing.sample')}
          </Button>
        )}
      </div>
      <div role="tabpanel" id={PANEL} aria-labelledby={`${PANEL}-${part}`} className="request-part">
        {part === 'body' && <BodyPart form={form} {...fields} />}
        {part === 'path' && <PathPart {...fields} />}
        {part === 'query' && <QueryPart {...fields} />}
        {part === 'headers' && <HeadersPart {...fields} />}
      </div>
    </div>
  );
}

const PATH: readonly Part[] = ['path'];

function countOf(part: Part, { query, headers }: TestRequest): number {
  if (part === 'query') return Object.keys(readQuery(query)).length;
  return part === 'headers' ? Object.values(headers).filter((value) => value !== '').length : 0;
}

interface PartProps {
  entry: Entry;
  request: TestRequest;
  onChange: (change: Partial<TestRequest>) => void;
}

function BodyPart({ form, entry, request, onChange }: PartProps & { form: TestForm }) {
  const { t } = useTranslation();
  const label = entry.route ? t('editorDock.testing.body') : t('editorDock.testing.payload');
  const fault = form.state.kind === 'faulty' ? form.state.fault : null;
  return (
    <>
      <CodeEditor label={label} language="json" value={request.body} onChange={(body) => onChange({ body })} rows={4} />
      {fault && (
        <p className="mantine-InputWrapper-error" role="alert">
          <FieldFault
            text={
              fault.fault === 'json'
                ? t('editorDock.testing.notJson', { reason: fault.reason })
                : t('editorDock.testing.notObject')
            }
          />
        </p>
      )}
    </>
  );
}

function PathPart({ entry, request, onChange }: PartProps) {
  return (
    <ValueFields
      of="param"
      names={entry.route?.params ?? []}
      values={request.params}
      onChange={(params) => onChange({ params })}
    />
  );
}

interface ValueFieldsProps {
  of: 'param' | 'header';
  names: readonly string[];
  values: Readonly<Record<string, string>>;
  onChange: (values: Record<string, string>) => void;
}

function ValueFields({ of, names, values, onChange }: ValueFieldsProps) {
  const { t } = useTranslation();
  return (
    <div className="test-fields">
      {names.map((name) => (
        <TextField
          key={name}
          mono
          label={t(`editorDock.testing.${of}`, { name })}
          value={values[name] ?? ''}
          onChange={(value) => onChange({ ...values, [name]: value })}
        />
      ))}
    </div>
  );
}

function QueryPart({ entry, request, onChange }: PartProps) {
  const { t } = useTranslation();
  const read = entry.route?.query ?? [];
  return (
    <TextField
      mono
      label={t('editorDock.testing.query')}
      help={
        read.length > 0
          ? t('editorDock.testing.queryRead', { names: read.join(', ') })
          : t('editorDock.testing.queryHelp')
      }
      value={request.query}
      onChange={(query) => onChange({ query })}
    />
  );
}

function HeadersPart({ entry, request, onChange }: PartProps) {
  const { t } = useTranslation();
  const names = entry.route?.headers ?? [];
  if (names.length === 0) return <p className="t2">{t('editorDock.testing.noHeaders')}</p>;
  return (
    <ValueFields of="header" names={names} values={request.headers} onChange={(headers) => onChange({ headers })} />
  );
}
