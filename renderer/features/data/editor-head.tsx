import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermission } from '#api/session.ts';
import { Chip } from '#ui/chip.tsx';
import { useLeaveGuard } from '#ui/leave-guard.tsx';

interface Props {
  title: string;
  /** Target of the back link. */
  back: string;
  /** It was never saved, so it may be saved unchanged. */
  isNew: boolean;
  /** There are unsaved changes. */
  changed: boolean;
  /** It must not be saved in this state. */
  blocked: boolean;
  saveLabel: string;
  saving: boolean;
  /** The form that the button sends. */
  form: string;
  side?: ReactNode;
  onBack: () => void;
}

/** Above an editor: the back link, the name, whether it is saved, and the Save button. */
export function EditorHead({ title, back, isNew, changed, blocked, saveLabel, saving, form, side, onBack }: Props) {
  const { t } = useTranslation();
  const mayEdit = usePermission('edit_pipelines');
  const { leave, question } = useLeaveGuard(mayEdit && changed);
  return (
    <div className="row wrap">
      <Button onClick={() => leave(onBack)}>{back}</Button>
      <h2 className="mono grow">{title}</h2>
      {mayEdit && (
        <>
          {(changed || isNew) && <Chip shape="starting">{t('data.unsaved')}</Chip>}
          {side}
          <Button
            type="submit"
            form={form}
            variant="filled"
            loading={saving}
            disabled={blocked || (!changed && !isNew)}
          >
            {saveLabel}
          </Button>
        </>
      )}
      {question}
    </div>
  );
}
