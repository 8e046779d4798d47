import { Button } from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddPlugin, type PluginRecord } from '#api/plugins-queries.ts';
import { Icon } from '#ui/icon.tsx';
import type { Notice } from '#ui/notice-line.tsx';
import { bytesText } from '#ui/quantity.ts';

/** As the admin API takes it. */
const ARCHIVE_BYTES_MAX = 20 * 1024 * 1024;

interface Props {
  onAdded: (plugin: PluginRecord) => void;
  onNotice: (notice: Notice) => void;
}

export function AddPluginButton({ onAdded, onNotice }: Props) {
  const { t, i18n } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const add = useAddPlugin();
  const fail = (error: Error) => onNotice({ kind: 'failed', text: t('plugins.addFailed'), error });
  const begin = (file: File) => {
    if (file.size <= ARCHIVE_BYTES_MAX) return add.mutate(file, { onSuccess: onAdded, onError: fail });
    const sizes = { size: bytesText(file.size, i18n.language), max: bytesText(ARCHIVE_BYTES_MAX, i18n.language) };
    return fail(new Error(t('plugins.tooLarge', sizes)));
  };
  return (
    <>
      <input
        ref={input}
        hidden
        type="file"
        accept=".tgz,.tar.gz,application/gzip"
        aria-label={t('plugins.file')}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file) begin(file);
          // The same file may be chosen again after it was corrected.
          currentTarget.value = '';
        }}
      />
      <Button
        variant="filled"
        leftSection={<Icon name="upload" />}
        loading={add.isPending}
        onClick={() => input.current?.click()}
      >
        {t('plugins.add')}
      </Button>
    </>
  );
}
