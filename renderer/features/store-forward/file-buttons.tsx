import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { exportPath, useImportEvents } from '#api/egress-queries.ts';
import { Icon } from '#ui/icon.tsx';
import { PickFile } from '#ui/pick-file.tsx';
import { bytesText, numberText } from '#ui/quantity.ts';
import type { Notice } from '#ui/notice-line.tsx';
import { useDownload } from '#ui/use-download.ts';

/** Dead letters as a file: to archive, or to import on another machine. */
export function ExportButton({ count }: { count: number }) {
  const { t } = useTranslation();
  const download = useDownload();
  if (count === 0) return null;
  return (
    <Button onClick={() => download(exportPath(''))} leftSection={<Icon name="save" />}>
      {t('egress.export')}
    </Button>
  );
}

/** In the form that the admin API accepts. */
const IMPORT_BYTES_MAX = 24 * 1024 * 1024;

export function ImportButton({ onNotice }: { onNotice: (notice: Notice) => void }) {
  const { t } = useTranslation();
  const take = useImport(onNotice);
  return (
    <PickFile label={t('egress.import')} accept=".jsonl,.ndjson,.json" pending={take.pending} onPick={take.begin} />
  );
}

function useImport(onNotice: (notice: Notice) => void) {
  const { t, i18n } = useTranslation();
  const take = useImportEvents();
  const events = (count: number) => ({ count, events: numberText(count, i18n.language) });
  const begin = (file: File) => {
    if (file.size > IMPORT_BYTES_MAX) {
      const sizes = { size: bytesText(file.size, i18n.language), max: bytesText(IMPORT_BYTES_MAX, i18n.language) };
      const error = new Error(t('egress.importTooLarge', sizes));
      onNotice({ kind: 'failed', text: t('egress.failed.import'), error });
      return;
    }
    take.mutate(file, {
      onSuccess: ({ imported, skipped }) => {
        const rest = skipped > 0 ? ` ${t('egress.notice.skipped', events(skipped))}` : '';
        onNotice({ kind: 'done', text: t('egress.notice.imported', events(imported)) + rest });
      },
      onError: (error) => onNotice({ kind: 'failed', text: t('egress.failed.import'), error }),
    });
  };
  return { begin, pending: take.isPending };
}
