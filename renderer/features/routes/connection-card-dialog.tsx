import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { RouteDetail } from '#common/model/route-record.ts';
import { Dialog } from '#ui/dialog.tsx';
import { ConnectionCard } from './connection-card.tsx';

const CONSUMER_CHARS_MAX = 64;

/**
 * The card as it will be printed. A second copy is directly below the root of the page: printing shows only that one.
 */
export function ConnectionCardDialog({ detail, onClose }: { detail: RouteDetail; onClose: () => void }) {
  const { t } = useTranslation();
  const [consumer, setConsumer] = useState('');
  const card = <ConnectionCard detail={detail} consumer={consumer} />;
  return (
    <Dialog
      wide
      title={t('routes.card.title')}
      onDismiss={onClose}
      foot={
        <>
          <span className="grow" />
          <Button onClick={onClose}>{t('common.close')}</Button>
          <Button variant="filled" onClick={() => window.print()}>
            {t('routes.card.print')}
          </Button>
        </>
      }
    >
      <p className="t2">{t('routes.card.help')}</p>
      <TextInput
        data-autofocus
        label={t('routes.card.consumer')}
        description={t('routes.card.consumerHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        maxLength={CONSUMER_CHARS_MAX}
        value={consumer}
        onChange={(event) => setConsumer(event.currentTarget.value)}
      />
      {card}
      {createPortal(<div className="print-only">{card}</div>, document.body)}
    </Dialog>
  );
}
