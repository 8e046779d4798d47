import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyButton } from './copy-button.tsx';
import { Icon } from './icon.tsx';
import { saveFile } from './save-file.ts';

/** The value of a new key, to copy or to save. */
export function KeyValue({ value, name }: { value: string; name: string }) {
  const { t } = useTranslation();
  return (
    <div className="stack tight">
      <code className="secret" data-testid="key-value">
        {value}
      </code>
      <div className="row wrap">
        <CopyButton text={value} label={t('keys.copyKey')} primary />
        <Button
          leftSection={<Icon name="save" />}
          onClick={() => saveFile(fileName(name), new Blob([`${value}\n`], { type: 'text/plain' }))}
        >
          {t('keys.saveFile')}
        </Button>
      </div>
    </div>
  );
}

/** A name that every file system accepts. */
const fileName = (name: string) => `${name}.key`.replace(/[^\w.-]+/g, '-');
