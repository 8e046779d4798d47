import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from './icon.tsx';

interface Props {
  icon: IconName;
  label: string;
  /** Rotates the icon by 180°. */
  turned?: boolean;
  /** The label is also shown as a tooltip. */
  hinted?: boolean;
  disabled?: boolean;
  onClick: () => void;
}

/** A square button with an icon and no text. */
export function IconButton({ icon, label, turned = false, hinted = false, disabled = false, onClick }: Props) {
  return (
    <Button
      variant="subtle"
      className={turned ? 'square turned' : 'square'}
      aria-label={label}
      title={hinted ? label : undefined}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </Button>
  );
}

export function CloseButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation();
  return <IconButton icon="close" label={t('common.close')} onClick={onClick} />;
}
