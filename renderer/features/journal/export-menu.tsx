import { Button, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { exportAddress, type JournalFilter } from '#api/journal-queries.ts';
import { Icon } from '#ui/icon.tsx';

/** Downloads what the filter shows, as it comes: the browser keeps it, however much it is. */
export function ExportMenu({ filter }: { filter: JournalFilter }) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button leftSection={<Icon name="save" />}>{t('journalPage.export.button')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('journalPage.export.what')}</Menu.Label>
        {(['csv', 'jsonl'] as const).map((format) => (
          <Menu.Item key={format} component="a" href={exportAddress(filter, format)} download={`audit.${format}`}>
            {t(`journalPage.export.${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
