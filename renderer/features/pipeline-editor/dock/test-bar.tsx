import { Button, Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useDefinitions } from '#api/definition-queries.ts';
import { useValidKeys } from '#api/routes-queries.ts';
import { usePermission } from '#api/session.ts';
import { Icon } from '#ui/icon.tsx';
import { NativeSelect } from '#ui/native-select.tsx';
import { useEditor, useEditorContext } from '../editor-context.tsx';
import type { TestPart } from '#common/model/test-part.ts';
import { nameOf } from '../model/draft.ts';
import type { TestedPart } from '../model/store.ts';
import { SavedTestsMenu } from './saved-tests-part.tsx';
import type { Entry } from './test-request.ts';
import { PIPELINE_RIGHTS, ROUTE_RIGHTS, type TestForm } from './use-test-form.ts';
import { writesOf, type KnownQueries } from './writes.ts';

interface Props {
  form: TestForm;
  entry: Entry;
}

/** Always visible: the entry of the test, its rights, the saved tests, and the button that runs it. */
export function TestBar({ form, entry }: Props) {
  const { t } = useTranslation();
  const always = useEditor((state) => state.draft.rehearsal === true);
  const entryText = ({ name, route }: Entry) =>
    route === null ? t('editorDock.testing.trigger', { name }) : `${route.method} ${route.pattern}`;
  return (
    <div className="test-bar">
      <span className="test-entry">
        <NativeSelect
          label={t('editorDock.testing.entry')}
          value={form.start}
          onChange={form.begin}
          options={form.entries.map((one) => ({ value: one.node, label: entryText(one) }))}
        />
      </span>
      <Rights form={form} entry={form.entries.find(({ node }) => node === form.start) ?? entry} />
      <Extent part={form.part} />
      <SavedTestsMenu form={form} />
      <Checkbox
        label={t('editorForm.rehearsal.simulate')}
        checked={form.rehearsal || always}
        disabled={always}
        onChange={(event) => form.setRehearsal(event.currentTarget.checked)}
      />
      <Button
        variant="filled"
        leftSection={<Icon name="flask" />}
        loading={form.state.kind === 'running'}
        aria-describedby={WRITES}
        onClick={() => void form.run()}
      >
        {t('editorDock.testing.run')}
      </Button>
      <Writes entry={entry} part={form.part} simulated={form.rehearsal || always} />
      <Pins />
    </div>
  );
}

/** The required scopes of the route, the grants of the pipeline, or the scopes of a key for users who may see keys. */
function Rights({ form, entry }: Props) {
  const { t } = useTranslation();
  const { record } = useEditorContext();
  const grants = useEditor((state) => state.draft.grants);
  const keys = useValidKeys([record.project], usePermission('access_settings'));
  const required = entry.route?.scopes ?? null;
  const own = {
    value: PIPELINE_RIGHTS,
    label: t('editorDock.testing.grantsNamed', { scopes: listed(grants) }),
  };
  const route = { value: ROUTE_RIGHTS, label: t('editorDock.testing.routeRights', { scopes: listed(required ?? []) }) };
  const isOwn = required === null && form.rights === ROUTE_RIGHTS;
  return (
    <span className="test-rights">
      <NativeSelect
        label={t('editorDock.testing.rights')}
        value={isOwn ? PIPELINE_RIGHTS : form.rights}
        onChange={form.setRights}
        options={[
          ...(required === null ? [] : [route]),
          own,
          ...keys.map(({ id, name, scopes }) => ({
            value: id,
            label: t('editorDock.testing.keyRights', { name, scopes: listed(scopes) }),
          })),
        ]}
      />
    </span>
  );
  function listed(scopes: readonly string[]): string {
    return scopes.length === 0 ? t('editorDock.testing.noScopes') : scopes.join(', ');
  }
}

/** All of the pipeline, or a part that depends on the chosen node. */
function Extent({ part: { upTo, only } }: { part: TestPart }) {
  const { t } = useTranslation();
  const { store, mayEdit } = useEditorContext();
  const draft = useEditor((state) => state.draft);
  const tested: TestedPart =
    upTo !== undefined
      ? { kind: 'upTo', node: upTo }
      : only !== undefined
        ? { kind: 'only', node: only }
        : { kind: 'whole' };
  const [chosen] = useEditor((state) => state.nodes);
  const node = tested.kind === 'whole' ? chosen : tested.node;
  const nodes = [...new Set([node, chosen])].filter((id) =>
    draft.nodes.some((one) => mayEdit && one.id === id && one.off !== true),
  );
  const parts = nodes.flatMap((id = '') => [
    { kind: 'upTo' as const, node: id },
    { kind: 'only' as const, node: id },
  ]);
  const valueOf = (part: TestedPart) => (part.kind === 'whole' ? part.kind : `${part.kind} ${part.node}`);
  return (
    <span className="test-entry">
      <NativeSelect
        label={t('editorDock.testing.extent.label')}
        value={valueOf(tested)}
        onChange={(value) => store.test(parts.find((part) => valueOf(part) === value) ?? { kind: 'whole' })}
        options={[
          { value: 'whole', label: t('editorDock.testing.extent.whole') },
          ...parts.map((part) => ({
            value: valueOf(part),
            label: t(`editorDock.testing.extent.${part.kind}`, { node: nameOf(draft, part.node) }),
          })),
        ]}
      />
    </span>
  );
}

/** Nodes that are not run, each with a button that lifts its pin. */
function Pins() {
  const { t } = useTranslation();
  const { store } = useEditorContext();
  const draft = useEditor((state) => state.draft);
  const pins = useEditor((state) => state.pins);
  if (Object.keys(pins).length === 0) return null;
  return (
    <p className="row wrap test-writes">
      <span className="t2">{t('editorDock.testing.pinned')}</span>
      {Object.keys(pins).map((node) => (
        <Button key={node} rightSection={<Icon name="close" small />} onClick={() => store.pin(node, null)}>
          {t('editorDock.testing.unpin', { node: nameOf(draft, node) })}
        </Button>
      ))}
    </p>
  );
}

const WRITES = 'test-writes';

/** Shows the effects of the test outside the pipeline before they happen. */
function Writes({ entry, part, simulated }: { entry: Entry; part: TestPart; simulated: boolean }) {
  const { t, i18n } = useTranslation();
  const { kinds } = useEditorContext();
  const draft = useEditor((state) => state.draft);
  const queries = useKnownQueries();
  const parts = writesOf(draft, entry.node, kinds, queries, part).map(({ what, where }) =>
    t(`editorForm.effect.${what}`, { where }),
  );
  const list = new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(parts);
  return (
    <p id={WRITES} className="test-writes t2">
      {parts.length === 0
        ? t('editorDock.testing.noWrites')
        : t(simulated ? 'editorForm.rehearsal.simulated' : 'editorDock.testing.writes', { list })}
    </p>
  );
}

function useKnownQueries(): KnownQueries {
  const { record } = useEditorContext();
  const { data } = useDefinitions(record.project, 'queries');
  return data === undefined ? null : new Map(data.map((query) => [query.id, query]));
}
