import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { usePermission } from '#api/session.ts';
import { certificatePath } from '#api/settings-queries.ts';
import { Icon } from '../icon.tsx';
import { useDownload } from '../use-download.ts';

/** Where to get the file that the printed code reads: Sluice's own certificate. */
export function CertificateFile() {
  const { t } = useTranslation();
  const mayDownload = usePermission('access_settings');
  const download = useDownload();
  if (!mayDownload) return <p className="t2">{t('routes.call.certificateAsk')}</p>;
  return (
    <div className="row wrap">
      <span className="t2 grow">{t('routes.call.certificateHelp')}</span>
      <Button leftSection={<Icon name="save" />} onClick={() => download(certificatePath('pem'))}>
        {t('routes.call.certificate')}
      </Button>
    </div>
  );
}
