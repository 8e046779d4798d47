import { Button } from '@mantine/core';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useValidKeys } from '#api/routes-queries.ts';
import { usePermission } from '#api/session.ts';
import { CodeEditor } from '#ui/code/code-editor.tsx';
import { FieldFault } from '#ui/field-error.tsx';
import { ChoiceField, TextField } from '#ui/form-fields.tsx';
import { Icon } from '#ui/icon.tsx';
import { RouteName } from '#ui/route-name.tsx';
import { useEditor, useEditorContext } from '../editor-context.tsx';
import type { Entry, TestRequest } from './test-request.ts';
import type { TestForm } from './use-test-form.ts';
import { writesOf } from './writes.ts';

interface Props {
  form: TestForm;
  entry: Entry;
  request: TestRequest;
}

export function RequestForm({ form, entry, request }: Props) {
  const { t } = useTranslation();
  const { route } = entry;
  const set = (change: Partial<TestRequest>) => form.setRequest({ ...request, ...change });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void form.run();
  };
  const fault = form.state.kind === 'faulty' ? form.state.fault : null;
  return (
    <form className="request-form" onSubmit={submit} noValidate>
      <div className="row wrap top">
        <ChoiceField
          label={t('editorDock.testing.entry')}
          value={entry.node}
          onChange={form.begin}
          options={form.entries.map((one) => ({ value: one.node, label: entryText(one) }))}
        />
        <Rights form={form} />
      </div>
      {route && (
        <p>
          <RouteName method={route.method === '*' ? 'POST' : route.method} pattern={route.pattern} />
        </p>
      )}
      {route && (
        <div className="test-fields">
          {route.params.map((name) => (
            <TextField
              key={name}
              mono
              label={t('editorDock.testing.param', { name })}
              value={request.params[name] ?? ''}
              onChange={(value) => set({ params: { ...request.params, [name]: value } })}
            />
          ))}
          <TextField
            mono
            label={t('editorDock.testing.query')}
            help={route.query.length > 0 ? route.query.join(', ') : t('editorDock.testing.queryHelp')}
            value={request.query}
            onChange={(query) => set({ query })}
          />
          {route.headers.map((name) => (
            <TextField
              key={name}
              mono
              label={t('editorDock.testing.header', { name })}
              value={request.headers[name] ?? ''}
              onChange={(value) => set({ headers: { ...request.headers, [name]: value } })}
            />
          ))}
        </div>
      )}
      <div className="stack tight">
        <div className="row">
          <span className="mantine-InputWrapper-label grow" aria-hidden="true">
            {route ? t('editorDock.testing.body') : t('editorDock.testing.payload')}
          </span>
          <Button variant="subtle" onClick={() => form.begin(entry.node)}>
            {t('editorDock.testing.sample')}
          </Button>
        </div>
        <CodeEditor
          label={route ? t('editorDock.testing.body') : t('editorDock.testing.payload')}
          language="json"
          value={request.body}
          onChange={(body) => set({ body })}
          rows={5}
        />
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
      </div>
      <RunButton form={form} entry={entry} />
    </form>
  );
  function entryText({ name, route: one }: Entry) {
    return one === null ? t('editorDock.testing.trigger', { name }) : `${one.method} ${one.pattern}`;
  }
}

/** The pipeline's grants, or the scopes of a key for users who may see keys. */
function Rights({ form }: { form: TestForm }) {
  const { t } = useTranslation();
  const { record } = useEditorContext();
  const grants = useEditor((state) => state.draft.grants);
  const maySettings = usePermission('access_settings');
  const keys = useValidKeys([record.project], maySettings);
  const own =
    grants.length === 0
      ? t('editorDock.testing.noGrants')
      : t('editorDock.testing.grantsNamed', { scopes: grants.join(', ') });
  return (
    <ChoiceField
      label={t('editorDock.testing.rights')}
      value={form.keyId}
      onChange={form.setKeyId}
      options={[
        { value: '', label: own },
        ...keys.map(({ id, name, scopes }) => ({ value: id, label: `${name}: ${scopes.join(', ') || '–'}` })),
      ]}
    />
  );
}

/** Names what the test does outside of the pipeline before it does it. */
function RunButton({ form, entry }: { form: TestForm; entry: Entry }) {
  const { t, i18n } = useTranslation();
  const { kinds } = useEditorContext();
  const draft = useEditor((state) => state.draft);
  const parts = writesOf(draft, entry.node, kinds).map(({ what, where }) =>
    t(`editorDock.testing.write.${what}`, { where }),
  );
  const list = new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(parts);
  const id = 'test-writes';
  return (
    <div className="row wrap">
      <Button
        type="submit"
        variant="filled"
        leftSection={<Icon name="flask" />}
        loading={form.state.kind === 'running'}
        aria-describedby={id}
      >
        {t('editorDock.testing.run')}
      </Button>
      <span id={id} className="t2 xs grow">
        {parts.length === 0 ? t('editorDock.testing.noWrites') : t('editorDock.testing.writes', { list })}
      </span>
    </div>
  );
}
