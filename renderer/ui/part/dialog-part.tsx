import type { TFunction } from 'i18next';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../dialog.tsx';
import { DialogFoot } from '../dialog-foot.tsx';
import type { FrameProps } from './part-boundary.tsx';
import { part } from './part.tsx';

interface Closable {
  onClose: () => void;
}

/**
 * A dialog whose code is loaded when it is first opened. If that fails, a dialog with the same title shows the reason.
 */
export function dialogPart<Props extends Closable>(
  title: (t: TFunction) => string,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  function Frame({ of: { onClose }, note }: FrameProps<Props>) {
    const { t } = useTranslation();
    if (note === null) return null;
    return (
      <Dialog title={title(t)} onDismiss={onClose} foot={<DialogFoot keep={t('common.close')} onKeep={onClose} />}>
        {note}
      </Dialog>
    );
  }
  return part(load, { Frame });
}
