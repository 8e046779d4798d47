import { Button } from '@mantine/core';
import { useRef } from 'react';
import { Icon } from '#ui/icon.tsx';

interface Props {
  label: string;
  accept?: string;
  primary?: boolean;
  pending?: boolean;
  onPick: (file: File) => void;
}

/** A button that asks for a file of this PC. */
export function PickFile({ label, accept, primary, pending, onPick }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <span>
      <input
        ref={input}
        hidden
        type="file"
        accept={accept}
        aria-label={label}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file) onPick(file);
          // The same file may be chosen again after it was corrected.
          currentTarget.value = '';
        }}
      />
      <Button
        variant={primary ? 'filled' : 'default'}
        leftSection={<Icon name="upload" />}
        loading={pending === true}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
    </span>
  );
}
