import { useTranslation } from 'react-i18next';
import type { RunRecord } from '#common/model/records.ts';
import { useEditor } from '../editor-context.tsx';
import { nameOf } from '../model/draft.ts';

/** The writes that were simulated. */
export function Rehearsed({ rehearsal: { count, writes } }: { rehearsal: NonNullable<RunRecord['rehearsal']> }) {
  const { t } = useTranslation();
  const draft = useEditor((state) => state.draft);
  const more = count - writes.length;
  return (
    <details className="rehearsed" open={count > 0}>
      <summary>{t('editorForm.rehearsal.rehearsed', { count })}</summary>
      <ul>
        {writes.map(({ node, kind, thing, to }, index) => (
          <li key={index}>
            {nameOf(draft, node)}: {t(`editorForm.rehearsal.kind.${kind}`)} <code className="mono">{thing}</code>
            {to !== undefined && <code className="mono"> = {to}</code>}
          </li>
        ))}
        {more > 0 && <li>{t('editorForm.rehearsal.rehearsedMore', { count: more })}</li>}
      </ul>
    </details>
  );
}
