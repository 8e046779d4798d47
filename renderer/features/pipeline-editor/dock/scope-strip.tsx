import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useEditor, useEditorContext } from '../editor-context.tsx';
import { quickFixFor } from '../form/quick-fixes.ts';
import { QuickFixText } from './problems-pane.tsx';
import { lackingScopes, scopeIn } from './problems.ts';

/**
 * The scopes that a caller's key needs; scopes that the route does not require are dashed, with a button that adds
 * them.
 */
export function ScopeStrip() {
  const { t } = useTranslation();
  const { check, kinds, store, mayEdit } = useEditorContext();
  const draft = useEditor((state) => state.draft);
  const frozen = useEditor((state) => state.showsRunning);
  if (check === null) return null;
  const lacking = lackingScopes(check);
  const first = check.warnings.find(
    ({ code, message }) => code === 'scope_not_required' && scopeIn(message) === lacking[0],
  );
  const quickFix = first && mayEdit && !frozen ? quickFixFor(first, draft, kinds) : null;
  return (
    <span className="scope-strip">
      <span className="t2 nowrap">{t('editorDock.problem.scopes')}</span>
      {check.scopes.length === 0 && <span className="t3">{t('editorDock.problem.noScopes')}</span>}
      {check.scopes.map((scope) =>
        lacking.includes(scope) ? (
          <span key={scope} className="tag miss" title={t('editorDock.problem.notRequired', { scope })}>
            {scope}
            <span className="visually-hidden"> ({t('editorDock.problem.notRequired', { scope })})</span>
          </span>
        ) : (
          <span key={scope} className="tag">
            {scope}
          </span>
        ),
      )}
      {quickFix && (
        <Button
          variant="subtle"
          onClick={() => store.edit({ code: 'fix', about: lacking[0] ?? '' }, (before) => quickFix.change(before))}
        >
          <QuickFixText quickFix={quickFix} />
        </Button>
      )}
    </span>
  );
}
