import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { ScriptEngine } from '#common/model/script-engine.ts';
import { useEditor, useEditorContext } from '../editor-context.tsx';

/** For a node with a script: whether its draft runs natively, and if not, why. */
export function EngineNote({ node }: { node: string }) {
  const { t } = useTranslation();
  const { check } = useEditorContext();
  const showsRunning = useEditor((state) => state.showsRunning);
  const found = check?.scripts.find((script) => script.node === node);
  return found === undefined || showsRunning ? null : <p className="t2">{engineText(t, found)}</p>;
}

function engineText(t: TFunction, { reason, line }: ScriptEngine): string {
  if (reason === null) return t('editorForm.engine.native');
  if (reason === 'setting') return t('editorForm.engine.setting');
  if (line === null) return t(reason === 'size' ? 'editorForm.engine.size' : 'editorForm.engine.constant');
  return t('editorForm.engine.line', { line, cause: t(`editorForm.engine.cause.${reason}`) });
}
