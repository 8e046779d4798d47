import { Button } from '@mantine/core';
import { useRef } from 'react';
import { Icon } from './icon.tsx';

interface Props {
  label: string;
  /** The name of the field itself, for assistive technology; absent: the label. */
  fieldLabel?: string;
  accept?: string;
  primary?: boolean;
  /** It gets the focus when its dialog opens. */
  first?: boolean;
  pending?: boolean;
  onPick: (file: File) => void;
}

/** A button to select a file on this PC. */
export function PickFile({ label, fieldLabel = label, accept, primary, first, pending, onPick }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <span>
      <input
        ref={input}
        hidden
        type="file"
        accept={accept}
        aria-label={fieldLabel}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file) onPick(file);
          // The same file can be selected again after it was corrected.
          currentTarget.value = '';
        }}
      />
      <Button
        variant={primary ? 'filled' : 'default'}
        leftSection={<Icon name="upload" />}
        data-autofocus={first}
        loading={pending === true}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
    </span>
  );
}
