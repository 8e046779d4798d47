import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Loosening } from '#common/model/widening.ts';
import { Note } from '#ui/note.tsx';
import { useEditor } from '../editor-context.tsx';
import { nameOf, type Draft } from '../model/draft.ts';

/** The privilege widenings of the draft, and the users who can start them. */
export function LooseningNote({ opened, may }: { opened: readonly Loosening[]; may: boolean }) {
  const { t } = useTranslation();
  const draft = useEditor((state) => state.draft);
  if (opened.length === 0) return null;
  const texts = [...new Set(opened.map((one) => looseningText(t, draft, one)))];
  return (
    <Note kind={may ? 'warning' : 'error'} title={t('editorDock.startDialog.needs')}>
      <ul>
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <p>{may ? t('editorDock.startDialog.needsYou') : t('editorDock.startDialog.needsOther')}</p>
    </Note>
  );
}

function looseningText(t: TFunction, draft: Draft, { node, field }: Loosening): string {
  const name = node === undefined ? '' : nameOf(draft, node);
  switch (field) {
    case 'grants':
    case 'runAs':
    case 'limits':
    case 'rehearsal':
      return t(`editorDock.startDialog.loosen.${field}`);
    case 'settings':
    case 'method':
    case 'authType':
    case 'requiredScopes':
    case 'allowedIps':
    case 'allowedOrigins':
    case 'headerWhitelist':
    case 'rateLimit':
    case 'burstLimit':
    case 'maxPayloadSize':
      return t(`editorDock.startDialog.loosen.${field}`, { node: name });
    default:
      return t('editorDock.startDialog.loosen.other', { node: name, field });
  }
}
