import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useEditorContext, useShownDefinition } from '../editor-context.tsx';
import { nameOf, nodeOf, wireId } from '../model/draft.ts';
import { disconnect, removeNodes, switchNodes } from '../model/edits.ts';

/** Several selected nodes: their common settings. */
export function SeveralForm({ ids, readOnly }: { ids: ReadonlySet<string>; readOnly: boolean }) {
  const { t } = useTranslation();
  const { store, kinds } = useEditorContext();
  const shown = useShownDefinition();
  const about = String(ids.size);
  const allOff = [...ids].every((id) => nodeOf(shown, id)?.off === true);
  return (
    <div className="settings-list">
      <ul className="chosen-nodes">
        {[...ids].map((id) => (
          <li key={id}>
            <button type="button" className="as-link touch" onClick={() => store.select([id])}>
              {nameOf(shown, id)}
            </button>
          </li>
        ))}
      </ul>
      {!readOnly && (
        <>
          <div className="row wrap">
            <Button onClick={() => store.edit({ code: 'switch', about }, (draft) => switchNodes(draft, ids))}>
              {t(allOff ? 'editorForm.switchOn' : 'editorForm.switchOff')}
            </Button>
            <Button onClick={() => store.edit({ code: 'delete', about }, (draft) => removeNodes(draft, ids, kinds))}>
              {t('editorForm.deleteNodes', { count: ids.size })}
            </Button>
          </div>
          <p className="t3">{t('editorForm.severalHelp')}</p>
        </>
      )}
    </div>
  );
}

/** A selected wire: its ends. */
export function WireForm({ wire, readOnly }: { wire: string; readOnly: boolean }) {
  const { t } = useTranslation();
  const { store } = useEditorContext();
  const shown = useShownDefinition();
  const found = shown.wires.find((one) => wireId(one) === wire);
  if (found === undefined) return null;
  const end = (id: string) => (
    <button type="button" className="as-link touch" onClick={() => store.select([id])}>
      {nameOf(shown, id)}
    </button>
  );
  const about = `${nameOf(shown, found.from)} → ${nameOf(shown, found.to)}`;
  return (
    <div className="settings-list">
      <dl className="facts">
        <dt>{t('editorForm.wire.from')}</dt>
        <dd>
          {end(found.from)} <span className="tag">{found.port}</span>
        </dd>
        <dt>{t('editorForm.wire.to')}</dt>
        <dd>{end(found.to)}</dd>
      </dl>
      {found.port === 'error' && <p className="t3">{t('editorForm.wire.error')}</p>}
      {!readOnly && (
        <Button onClick={() => store.edit({ code: 'unwire', about }, (draft) => disconnect(draft, wire))}>
          {t('editorForm.wire.remove')}
        </Button>
      )}
    </div>
  );
}
