import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useActivateDefinition, useInForce, type Family, type NotInForce } from '#api/definition-queries.ts';
import { useSession } from '#api/session.ts';
import { CodeBlock } from '#ui/code-block.tsx';
import { ErrorNote } from '#ui/error-note.tsx';
import { Note } from '#ui/note.tsx';

interface Props {
  project: string;
  family: Family;
  id: string;
  draft: NotInForce;
  /** The form has unsaved changes. */
  changed: boolean;
  onActivated: () => void;
}

/**
 * Shown above the editor of a draft: the permission that it needs, the active version, and the button for users with
 * the permission.
 */
export function DraftNote({ project, family, id, draft, changed, onActivated }: Props) {
  const { t } = useTranslation();
  const session = useSession().data;
  const former = useInForce(project, family, id);
  const activate = useActivateDefinition(project, family);
  const may = session?.kind === 'in' && draft.needs.every((permission) => session.permissions.includes(permission));
  const needs = draft.needs.map((permission) =>
    t('data.draft.permission', { name: t(`people.permission.${permission}`) }),
  );
  const put = () => activate.mutate({ id, savedAt: draft.savedAt }, { onSuccess: onActivated });
  return (
    <>
      {activate.isError && <ErrorNote error={activate.error} title={t('data.draft.failed')} />}
      <Note
        kind="warning"
        title={t('data.draft.title', { needs: needs.join(', ') })}
        action={
          may && (
            <Button variant="filled" loading={activate.isPending} disabled={changed} onClick={put}>
              {t('data.draft.activate')}
            </Button>
          )
        }
      >
        <p>{t(former.isError ? 'data.draft.byNew' : 'data.draft.by', { name: draft.savedBy })}</p>
        {may && changed && <p>{t('data.draft.saveFirst')}</p>}
        {former.data && (
          <details>
            <summary>{t('data.draft.inForce')}</summary>
            <CodeBlock title={id} code={'code' in former.data ? former.data.code : former.data.sql} />
          </details>
        )}
      </Note>
    </>
  );
}
