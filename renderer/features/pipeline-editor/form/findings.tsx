import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Note } from '#ui/note.tsx';
import { useEditor, useEditorContext } from '../editor-context.tsx';
import { nameOf } from '../model/draft.ts';
import { besideForm, withoutFresh } from './faults.ts';
import { findingWords, quickFixText } from './finding-words.ts';
import { quickFixFor } from './quick-fixes.ts';

/** The issues of `check` for the node, each with the button that fixes it. */
export function Findings({ node, readOnly }: { node: string; readOnly: boolean }) {
  const { t } = useTranslation();
  const { check, kinds, store } = useEditorContext();
  const draft = useEditor((state) => state.draft);
  const fresh = useEditor((state) => state.fresh);
  return besideForm(withoutFresh(check, fresh), node).map(({ error, finding }) => {
    const quickFix = quickFixFor(finding, draft, kinds);
    const { title, text } = findingWords(t, finding, quickFix);
    return (
      <Note key={`${finding.code} ${finding.message}`} kind={error ? 'error' : 'warning'} title={title}>
        {text !== '' && <p className="t2">{text}</p>}
        {quickFix !== null && !readOnly && (
          <Button
            className="setting-fix"
            onClick={() => store.edit({ code: 'fix', about: nameOf(draft, node) }, quickFix.change)}
          >
            {quickFixText(t, quickFix)}
          </Button>
        )}
      </Note>
    );
  });
}
