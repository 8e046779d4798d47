import { Button } from '@mantine/core';
import { useRef } from 'react';
import { Icon } from '#ui/icon.tsx';

/** A chain and its key are a few KB; what is larger is another file. */
const BYTES_MAX = 64 * 1024;

/** A PEM file in the place of pasting it. A file that is too large leaves the field for the server to judge. */
export function PemFileButton({ label, onText }: { label: string; onText: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <p>
      <input
        ref={input}
        hidden
        type="file"
        accept=".pem,.crt,.cer,.key"
        aria-label={label}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file) void file.slice(0, BYTES_MAX).text().then(onText);
          // The same file may be chosen again after it was corrected.
          currentTarget.value = '';
        }}
      />
      <Button leftSection={<Icon name="upload" />} onClick={() => input.current?.click()}>
        {label}
      </Button>
    </p>
  );
}
