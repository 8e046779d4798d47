import { Button, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { exportPath, type JournalFilter } from '#api/journal-queries.ts';
import { Icon } from '#ui/icon.tsx';
import { useDownload } from '#ui/use-download.ts';

/** Downloads the filtered rows. */
export function ExportMenu({ filter }: { filter: JournalFilter }) {
  const { t } = useTranslation();
  const download = useDownload();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button leftSection={<Icon name="save" />}>{t('journalPage.export.button')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('journalPage.export.what')}</Menu.Label>
        {(['csv', 'jsonl'] as const).map((format) => (
          <Menu.Item key={format} onClick={() => download(exportPath(filter, format))}>
            {t(`journalPage.export.${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
