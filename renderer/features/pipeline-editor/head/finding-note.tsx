import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CheckFinding } from '#common/model/pipeline.ts';
import { Note } from '#ui/note.tsx';
import { problemText } from '../dock/problem-text.ts';
import { useFieldNames } from '../dock/use-field-names.ts';
import { problemOf, settingOf } from '../dock/problems.ts';
import { useEditor, useEditorStore } from '../editor-context.tsx';
import { nameOf, nodeOf } from '../model/draft.ts';

interface Props {
  kind: 'error' | 'warning';
  title: string;
  findings: readonly CheckFinding[];
  /** Closes the dialog, so that the node is visible. */
  onClose: () => void;
}

/** The issues of the check, each with a link to its node. */
export function FindingNote({ kind, title, findings, onClose }: Props) {
  const { t } = useTranslation();
  const store = useEditorStore();
  const draft = useEditor((state) => state.draft);
  const names = useFieldNames();
  if (findings.length === 0) return null;
  const show = (node: string, field: string | null) => {
    onClose();
    store.goTo(node, field);
  };
  return (
    <Note kind={kind} title={title}>
      <ul className="findings">
        {findings.map((finding) => {
          const problem = problemOf(kind, finding);
          const { node } = finding;
          return (
            <li key={`${node} ${finding.field} ${finding.message}`}>
              <span className="grow">{problemText(t, draft, problem, names)}</span>
              {node !== undefined && nodeOf(draft, node) !== undefined && (
                <Button onClick={() => show(node, settingOf(problem))}>
                  {t('editorDock.startDialog.showNode', { node: nameOf(draft, node) })}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </Note>
  );
}
