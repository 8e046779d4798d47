import { useTranslation } from 'react-i18next';
import { useAddPlugin, type PluginRecord } from '#api/plugins-queries.ts';
import type { Notice } from '#ui/notice-line.tsx';
import { PickFile } from '#ui/pick-file.tsx';
import { bytesText } from '#ui/quantity.ts';

/** In the form that the admin API accepts. */
const ARCHIVE_BYTES_MAX = 20 * 1024 * 1024;

interface Props {
  onAdded: (plugin: PluginRecord) => void;
  onNotice: (notice: Notice) => void;
}

export function AddPluginButton({ onAdded, onNotice }: Props) {
  const { t, i18n } = useTranslation();
  const add = useAddPlugin();
  const fail = (error: Error) => onNotice({ kind: 'failed', text: t('plugins.addFailed'), error });
  const begin = (file: File) => {
    if (file.size <= ARCHIVE_BYTES_MAX) return add.mutate(file, { onSuccess: onAdded, onError: fail });
    const sizes = { size: bytesText(file.size, i18n.language), max: bytesText(ARCHIVE_BYTES_MAX, i18n.language) };
    return fail(new Error(t('plugins.tooLarge', sizes)));
  };
  return (
    <PickFile
      primary
      label={t('plugins.add')}
      fieldLabel={t('plugins.file')}
      accept=".tgz,.tar.gz,application/gzip"
      pending={add.isPending}
      onPick={begin}
    />
  );
}
