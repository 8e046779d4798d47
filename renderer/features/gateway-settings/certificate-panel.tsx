import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CertificateFacts } from '#common/model/certificate.ts';
import { certificatePath, useMakeCertificate, type ShownSettings } from '#api/settings-queries.ts';
import { Chip } from '#ui/chip.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Fact } from '#ui/fact.tsx';
import { longDate } from '#ui/format.ts';
import { Icon } from '#ui/icon.tsx';
import { Note } from '#ui/note.tsx';
import { useNow } from '#ui/now.ts';
import type { Notice } from '#ui/notice-line.tsx';
import { useDownload } from '#ui/use-download.ts';

/** The same limit as in the host. */
const ENDS_SOON_MS = 30 * 86_400_000;

/** The certificate that callers see, or will see: its names, its validity, and how to export it. */
export function CertificatePanel({
  settings,
  onNotice,
}: {
  settings: ShownSettings;
  onNotice: (notice: Notice) => void;
}) {
  const { t } = useTranslation();
  const download = useDownload();
  const { certificate, tls } = settings;
  return (
    <div className="whole stack tight certificate">
      {certificate && <Facts certificate={certificate} waits={tls === 'off'} />}
      {certificate === null && tls === 'off' && <p className="t2">{t('gatewayPage.certificate.makeFirstHelp')}</p>}
      <p className="row wrap">
        {certificate && (
          <>
            <Button onClick={() => download(certificatePath('cer'))} leftSection={<Icon name="save" />}>
              {t('gatewayPage.certificate.cer')}
            </Button>
            <Button onClick={() => download(certificatePath('pem'))} leftSection={<Icon name="save" />}>
              {t('gatewayPage.certificate.pem')}
            </Button>
          </>
        )}
        {tls !== 'custom' && <MakeButton settings={settings} onNotice={onNotice} />}
      </p>
    </div>
  );
}

function Facts({ certificate, waits }: { certificate: CertificateFacts; waits: boolean }) {
  const { t } = useTranslation();
  const { kind, subject, issuer, names, fingerprint, missing } = certificate;
  return (
    <>
      <h3>{t(waits ? 'gatewayPage.certificate.waiting' : 'gatewayPage.certificate.title')}</h3>
      <dl className="facts">
        <Fact name={t('gatewayPage.certificate.for')}>
          <span className="break">{names.length > 0 ? names.join(', ') : subject}</span>
        </Fact>
        {kind === 'custom' && <Fact name={t('gatewayPage.certificate.issuer')}>{issuer}</Fact>}
        <Fact name={t('gatewayPage.certificate.ends')}>
          <Ends iso={certificate.notAfter} />
        </Fact>
        <Fact name={t('gatewayPage.certificate.fingerprint')}>
          <span className="row">
            <code className="break">{fingerprint}</code>
            <CopyButton text={fingerprint} />
          </span>
        </Fact>
      </dl>
      {missing.length > 0 && (
        <Note kind="warning">{t('gatewayPage.certificate.missing', { names: missing.join(', ') })}</Note>
      )}
    </>
  );
}

function Ends({ iso }: { iso: string }) {
  const { t, i18n } = useTranslation();
  const leftMs = Date.parse(iso) - useNow().getTime();
  const date = longDate(new Date(iso), i18n.language);
  if (leftMs > ENDS_SOON_MS) return date;
  return (
    <span className="row">
      {date}
      <Chip shape={leftMs > 0 ? 'warning' : 'alarm'}>
        {t(leftMs > 0 ? 'gatewayPage.certificate.soon' : 'gatewayPage.certificate.over')}
      </Chip>
    </span>
  );
}

function MakeButton({ settings, onNotice }: { settings: ShownSettings; onNotice: (notice: Notice) => void }) {
  const { t } = useTranslation();
  const make = useMakeCertificate();
  const [ask, setAsk] = useState(false);
  const isFirst = settings.certificate === null;
  const begin = () =>
    make.mutate(undefined, {
      onSuccess: () => {
        setAsk(false);
        onNotice({ kind: 'done', text: t('gatewayPage.certificate.made') });
      },
    });
  return (
    <>
      <Button
        leftSection={<Icon name="rotate" />}
        loading={make.isPending}
        onClick={() => (isFirst ? begin() : setAsk(true))}
      >
        {t(isFirst ? 'gatewayPage.certificate.makeFirst' : 'gatewayPage.certificate.make')}
      </Button>
      {ask && (
        <ConfirmDialog
          title={t('gatewayPage.certificate.ask')}
          tick={t('gatewayPage.certificate.tick')}
          keep={t('gatewayPage.certificate.keep')}
          act={t('gatewayPage.certificate.submit')}
          call={make}
          onConfirm={begin}
          onClose={() => setAsk(false)}
        >
          <p>
            {t(settings.tls === 'own' ? 'gatewayPage.certificate.effect' : 'gatewayPage.certificate.effectWaiting')}
          </p>
          <Note>{t('gatewayPage.certificate.gentle')}</Note>
        </ConfirmDialog>
      )}
    </>
  );
}
